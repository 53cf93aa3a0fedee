const SAVE_AS = "choose Save As, 'Excel Workbook (.xlsx)', and choose the new file.";
const OLD_WORKBOOK = `This is an old Excel workbook (.xls). Open it, ${SAVE_AS}`;
const PROTECTED = "The workbook is protected by a password. Save it without one, and choose it again.";
const WORD =
  "This is a Word document. Copy its table into a new Excel workbook, save that, and choose it instead.";
const PDF = "This is a PDF. Ask for the list as an Excel workbook or as CSV.";
const PICTURE = "This is a picture. Choose an Excel workbook or a CSV file.";
const WEB_PAGE = `This is a web page with a workbook's name. Open it in Excel, ${SAVE_AS}`;
const XML_SPREADSHEET = `This is an XML spreadsheet. Open it in Excel, ${SAVE_AS}`;
const OTHER_XML = "This is an XML file, but not a table. Choose an Excel workbook or a CSV file.";
const BINARY_WORKBOOK = `This is a binary Excel workbook (.xlsb). Open it, ${SAVE_AS}`;
const LIBREOFFICE =
  "This is a LibreOffice file (.ods). Open it in LibreOffice, save it as .xlsx, and choose the new file.";
const ARCHIVE = "This is a ZIP archive. Unzip it first, and choose one of the files in it.";
const NUMBERS =
  "This is an Apple Numbers spreadsheet. Choose File, Export To, Excel in Numbers, and choose the new file.";

/** Excel wraps a workbook with a password in the old format, whose directory has this name. */
const PACKAGE = inUtf16("EncryptedPackage");
const WORD_TEXT = inUtf16("WordDocument");

/** Why a file can't be read as a workbook whatever is in it, in a sentence; null for an archive, which may be an xlsx file. */
export function unreadableWorkbook(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xd0) {
    if (includes(bytes, PACKAGE)) return PROTECTED;
    return includes(bytes, WORD_TEXT) ? WORD : OLD_WORKBOOK;
  }
  if (bytes[0] === 0x25) return PDF;
  if (bytes[0] === 0x89 || (bytes[0] === 0xff && bytes[1] === 0xd8)) return PICTURE;
  if (bytes[0] === 0x50) return null;
  const isUtf16 = bytes[0] === 0xff;
  const start = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes.subarray(0, 4_096));
  if (/<\?mso-application|<(?:\w+:)?Workbook\b/.test(start)) return XML_SPREADSHEET;
  return /^\s*<\?xml/.test(start) && !/<html\b/i.test(start) ? OTHER_XML : WEB_PAGE;
}

/** Whose file an archive is, if it is none of Excel's that can be read, in a sentence. */
export function unreadableArchive(names: readonly string[]): string | null {
  if (names.some((name) => name.startsWith("word/"))) return WORD;
  if (names.includes("xl/workbook.bin")) return BINARY_WORKBOOK;
  if (names.includes("content.xml") && names.includes("mimetype")) return LIBREOFFICE;
  if (names.some((name) => name.startsWith("Index/") || name === "Index.zip")) return NUMBERS;
  return names.some((name) => /^(?:\[content_types\]\.xml$|_rels\/|xl\/|ppt\/)/i.test(name)) ? null : ARCHIVE;
}

function inUtf16(text: string): Uint8Array {
  return Uint8Array.from([...text].flatMap((letter) => [letter.charCodeAt(0), 0]));
}

function includes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, place) => bytes[at + place] === byte)) return true;
  return false;
}
