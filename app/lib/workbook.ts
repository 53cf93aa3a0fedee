/** The message where an Excel workbook was chosen and only text can be read. */
export const SAVE_AS_CSV = "This is an Excel workbook. In Excel choose Save As, 'CSV UTF-8'.";

/** An xlsx file is a ZIP archive, an old xls file a compound document. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const starts = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);
  return starts(0x50, 0x4b, 0x03, 0x04) || starts(0xd0, 0xcf, 0x11, 0xe0);
}
