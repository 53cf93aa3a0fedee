/** The bytes of a text as an old Excel in Accra writes them: what Windows-1252 lacks is a question mark. */
export function inWindows1252(text: string): Buffer {
  const typographic: Record<string, string> = { "’": "\x92", "–": "\x96", "“": "\x93", "”": "\x94" };
  return Buffer.from(
    text.replace(/[^\0-\xff]/g, (character) => typographic[character] ?? "?"),
    "latin1",
  );
}

/** And as its 'Unicode Text': UTF-16 with a byte order mark. */
export function inUtf16(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, "utf16le");
}
