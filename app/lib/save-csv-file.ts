/** Long enough for the browser to have taken the file. */
const KEEP_MS = 60_000;

/** Hands a text file to the browser as a download. */
export function saveCsvFile(parts: string[], fileName: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS);
}
