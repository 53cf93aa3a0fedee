/** Long enough for the browser to start the download. */
const KEEP_MS = 60_000;

/** Hands a file to the browser as a download. */
export function saveFile(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}
