import { saveFile } from "./save-file.ts";

/** Hands a CSV file to the browser as a download. */
export function saveCsvFile(parts: string[], fileName: string): void {
  saveFile(parts, fileName, "text/csv");
}
