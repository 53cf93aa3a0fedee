/** Long enough for the browser to start the download. */
const KEEP_MS = 60_000;

/** Hands a text file to the browser as a download. `type` is its media type. */
export function saveFile(parts: string[], fileName: string, type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}
