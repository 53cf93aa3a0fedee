/**
 * One book, phone number or place in every spelling in which chats, PDFs, spreadsheets and scanners deliver it. The
 * readers in the app and in the database go through the same table, and so does what uses them.
 */

const BOOK = "9780306406157";

/** Spellings of 9780306406157, each the whole of a cell or field. */
export const isbnSpellings = [
  BOOK,
  "978-0-306-40615-7",
  "978 0 306 40615 7",
  "978.0.306.40615.7",
  "0-306-40615-2",
  "0306406152",
  // Hyphens of every kind: the typographic one, one that does not break, figure, en and em dash, minus, bullet.
  ..."\u2010\u2011\u2012\u2013\u2014\u2212\u2043\ufe63\uff0d"
    .split("")
    .map((hyphen) => `978${hyphen}0${hyphen}306${hyphen}40615${hyphen}7`),
  // Marks that nobody sees: zero width, left to right, isolates, soft hyphen, byte order, variation selector.
  "\u200b9780306406157",
  "\u202a9780306406157\u202c",
  "\u20669780306406157\u2069",
  "978\u00ad0306406157",
  "\ufeff978\u00a00306\u2009406157\u2060",
  "978\ufe0f0306406157",
  "９７８０３０６４０６１５７",
  // What Excel makes of it.
  '="9780306406157"',
  "'9780306406157",
  '"9780306406157"',
  "9780306406157.0",
  "9780306406157,00",
  // A scanner with the barcode's five digits of a price.
  "978030640615751299",
  "9780306406157+51299",
  // Labels and bindings.
  "ISBN 9780306406157",
  "ISBN9780306406157",
  "isbn: 978-0-306-40615-7",
  "ISBN-13 9780306406157",
  "ISBN-13: 978 0 306 40615 7",
  "ISBN13: 9780306406157",
  "ISBN139780306406157",
  "ISBN (13) 9780306406157",
  "ISBN\u201113: 9780306406157",
  "ISBN-10: 0-306-40615-2",
  "EAN 9780306406157",
  "9780306406157 (pbk)",
  "978-0-306-40615-7 (hbk.)",
  "9780306406157 Paperback",
  "(9780306406157)",
  // The same book twice in one cell.
  "9780306406157 / 0306406152",
  "978-0-306-40615-7; 0-306-40615-2",
  "9780306406157 0306406152",
  "9780306406157 (hbk) / 0-306-40615-2 (pbk)",
] as const;

/** Two books in one cell. */
export const severalIsbns = [
  "9780306406157 / 9780439023481",
  "9780306406157 (hbk), 978-0-439-02348-1 (pbk)",
  "0306406152 0439023483",
] as const;

/** Codes that are no ISBN, each with the key by which the shop finds it and the form in which it is stored. */
export const otherCodes = [
  ["N-1-11", "N-1-11", "N-1-11"],
  ["N-11-1", "N-11-1", "N-11-1"],
  [" n 1/11 ", "N-1-11", "n 1/11"],
  ["N\u20111\u201111", "N-1-11", "N-1-11"],
  ["AB-7Q2K9X", "AB-7Q2K9X", "AB-7Q2K9X"],
  ["12 34", "1234", "12 34"],
  ["---", "", "---"],
  // Digits with a wrong check digit are as near to an ISBN as what was printed.
  ["978-0-306-40615-8", "9780306406158", "9780306406158"],
  ["9780306406158 (pbk)", "9780306406158", "9780306406158"],
  ['="0306406153"', "0306406153", "0306406153"],
  // Zeros that a spreadsheet dropped: found as the ISBN, but perhaps a barcode of eight digits.
  ["61120081", "9780061120084", "61120081"],
  // The shop's own second copy and electronic form of a book.
  ["9780306406157-A", "9780306406157-A", "9780306406157-A"],
  ["9780306406157 (used)", "9780306406157-USED", "9780306406157 (used)"],
  ["9780306406157 PDF", "9780306406157-PDF", "9780306406157 PDF"],
  ["978ISBN0306406157", "978ISBN0306406157", "978ISBN0306406157"],
  ["19780306400001", "19780306400001", "19780306400001"],
] as const;

/** Spellings of one number of Ghana. */
export const phoneSpellings = [
  "+233 24 412 3456",
  "+233244123456",
  "0244123456",
  "024 412 3456",
  "024-412-3456",
  "(024) 412.3456",
  "024/4123456",
  "233244123456",
  "233 24 412 3456",
  "00233244123456",
  "+233 (0)24-412.3456",
  "+2330244123456",
  // Excel drops the zero, or writes a formula to keep it.
  "244123456",
  "244123456.0",
  '="0244123456"',
  "'0244123456",
  // Chat apps: isolates, left-to-right marks, hyphens and spaces that don't break, wide digits.
  "\u2068+233 24 412 3456\u2069",
  "\u202a+233\u00a024\u00a0412\u00a03456\u202c",
  "\u200e024\u2011412\u20113456",
  "024\u2013412\u20133456\u200b",
  "０２４４１２３４５６",
  "Tel: 024 412 3456",
] as const;

/** Other numbers, with the form in which they are stored and shown. */
export const otherPhones = [
  ["036 202 1234", "+233 36 202 1234"],
  ["030/2001400", "+233 30 200 1400"],
  ["0800 123 456", "+233 80 012 3456"],
  ["+44 20 7946 0018", "+442079460018"],
  ["0044 20 7946 0018", "+442079460018"],
  ["112233", "112233"],
  ["123456789012345", "123456789012345"],
] as const;

export const notPhones = [
  "",
  "xyz",
  "12345",
  "call me",
  "024 412 3456 ext 7",
  "1234567890123456",
  "233+244123456",
  "+",
  "024 412 3456, 020 111 2233",
  "024 412 3456 / 020 111 2233",
  "0000000000",
  "1111111111",
  "+000000000",
  "+0244123456",
] as const;

/** Digital addresses (GhanaPostGPS) as they are typed, with their written form. */
export const digitalAddressSpellings = [
  ["GA-183-8164", "GA-183-8164"],
  ["ga 183 8164", "GA-183-8164"],
  ["ga1838164", "GA-183-8164"],
  ["GA183-8164", "GA-183-8164"],
  ["GA-1838164", "GA-183-8164"],
  ["GA - 183 - 8164", "GA-183-8164"],
  ["GA\u2011183\u20118164", "GA-183-8164"],
  ["GA\u2013183\u20138164", "GA-183-8164"],
  ["\u2066GA-183-8164\u2069", "GA-183-8164"],
  ["\u200bga\u00a0183\u00a08164", "GA-183-8164"],
  ["ＧＡ－１８３－８１６４", "GA-183-8164"],
  ['="GA-183-8164"', "GA-183-8164"],
  ["GA-183-8164.", "GA-183-8164"],
  ["Ak-039-5028", "AK-039-5028"],
  ["E3.0123.4567", "E3-0123-4567"],
  ["w2-00017-0204", "W2-00017-0204"],
  ["GW01234567", "GW-0123-4567"],
  ["XW-0018-8164", "XW-0018-8164"],
  // Wa East, a district with a prefix that looks invented.
  ["XX-00183-8164", "XX-00183-8164"],
] as const;

export const notDigitalAddresses = [
  "GA-183-816",
  // A digit too many, or in the wrong group.
  "GA-183-81640",
  "GA 183 81640",
  "GA183-81640",
  "GA-1838-164",
  "GA-12-8164",
  "GA-183456-8164",
  "G-A183-8164",
  // Regions that don't exist.
  "XX-183-8164",
  "ZZ-183-8164",
  "KA-183-8164",
  "1A-183-8164",
  "GAA-183-8164",
  "12 Ring Road",
] as const;
