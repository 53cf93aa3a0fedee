/**
 * Whether a file isn't text with commas or tabs, whatever its name says, but a ZIP archive, as xlsx files are, a compound document, as xls
 * files are, or a PDF, a web page, an XML spreadsheet or a picture. `openWorkbook` opens it, or says why it can't.
 */
export function needsWorkbookReader(start: Uint8Array): boolean {
  const starts = (...signature: number[]) => signature.every((byte, at) => start[at] === byte);
  return (
    starts(0x50, 0x4b, 0x03, 0x04) ||
    starts(0xd0, 0xcf, 0x11, 0xe0) ||
    starts(0x25, 0x50, 0x44, 0x46) ||
    starts(0x89, 0x50, 0x4e, 0x47) ||
    starts(0xff, 0xd8, 0xff) ||
    starts(0x3c) ||
    starts(0xef, 0xbb, 0xbf, 0x3c) ||
    starts(0xff, 0xfe, 0x3c, 0x00)
  );
}
