const OLD_WORKBOOK =
  "This is an old Excel workbook (.xls). Open it, choose Save As, 'Excel Workbook (.xlsx)', and choose the new file.";
const PROTECTED = "The workbook is protected by a password. Save it without one, and choose it again.";

/** Excel wraps a workbook with a password in the old format, whose directory has this name in UTF-16. */
const PACKAGE = Uint8Array.from([..."EncryptedPackage"].flatMap((letter) => [letter.charCodeAt(0), 0]));

/** Why a workbook can't be read whatever is in it, in a sentence; null for an archive, which may be an xlsx file. */
export function unreadableWorkbook(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0xd0) return null;
  return includes(bytes, PACKAGE) ? PROTECTED : OLD_WORKBOOK;
}

function includes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, place) => bytes[at + place] === byte)) return true;
  return false;
}
