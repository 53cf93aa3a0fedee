/** The encoding that a text file was read as. */
export type Encoding = "UTF-8" | "UTF-16" | "Windows-1252";

/**
 * Decodes a text file of unknown encoding: UTF-16 and UTF-8 with or without a byte order mark, otherwise Windows-1252,
 * which Excel writes in much of the world. Never fails.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const wide = findWideEncoding(bytes);
  if (wide) return { text: new TextDecoder(wide).decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "UTF-8" };
  } catch {
    return { text: decodeLines(bytes), encoding: "Windows-1252" };
  }
}

/** In UTF-16, Latin letters have a zero in every other byte; text in the other encodings contains no NUL. */
function findWideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = bytes.subarray(0, 4_096);
  const zeros = (place: 0 | 1) => start.filter((byte, at) => byte === 0 && at % 2 === place).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < start.length / 4) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Line by line, because lists pasted together from several files mix both encodings. */
function decodeLines(bytes: Uint8Array): string {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const western = new TextDecoder("windows-1252");
  const lines: string[] = [];
  let start = 0;
  while (start < bytes.length) {
    let end = start;
    while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end += 1;
    const line = bytes.subarray(start, end + 1);
    try {
      lines.push(utf8.decode(line));
    } catch {
      lines.push(western.decode(line));
    }
    start = end + 1;
  }
  return lines.join("");
}
