/** The encoding that a text file was read as. */
export type Encoding = "UTF-8" | "UTF-16" | "Windows-1252";

/**
 * Decodes a text file of unknown encoding: UTF-16 and UTF-8 with or without a byte order mark, otherwise Windows-1252,
 * which Excel writes in much of the world. Never fails.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const wide = findWideEncoding(bytes);
  return wide ? { text: new TextDecoder(wide).decode(bytes), encoding: "UTF-16" } : decodeNarrow(bytes);
}

function decodeNarrow(bytes: Uint8Array): { text: string; encoding: Encoding } {
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
  const zeros = (index: 0 | 1) => start.filter((byte, at) => byte === 0 && at % 2 === index).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if (Math.max(even, odd) < start.length / 4) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Longer lines are not those of a table. */
const LONGEST_LINE = 10_000_000;

/**
 * Decodes a file that arrives in pieces as `decodeText` does a whole one. `decode` answers what is complete; `end` the
 * rest, and which encoding it was.
 * @param start the file's first bytes
 */
export function pieceDecoder(start: Uint8Array): {
  decode: (piece: Uint8Array) => string;
  end: () => { text: string; encoding: Encoding };
} {
  const wide = findWideEncoding(start);
  if (wide) {
    const decoder = new TextDecoder(wide);
    return {
      decode: (piece) => decoder.decode(piece, { stream: true }),
      end: () => ({ text: decoder.decode(), encoding: "UTF-16" }),
    };
  }
  let encoding: Encoding = "UTF-8";
  let line: Uint8Array[] = [];
  let length = 0;
  const decodeComplete = (): string => {
    const read = decodeNarrow(joined(line));
    line = [];
    length = 0;
    if (read.encoding !== "UTF-8") encoding = "Windows-1252";
    return read.text;
  };
  return {
    decode: (piece) => {
      const end = piece.lastIndexOf(0x0a) + 1 || piece.lastIndexOf(0x0d) + 1;
      if (end === 0) {
        line.push(piece);
        length += piece.length;
        if (length > LONGEST_LINE) throw new RangeError("A line is longer than 10 MB.");
        return "";
      }
      line.push(piece.subarray(0, end));
      const text = decodeComplete();
      line.push(piece.subarray(end));
      length = piece.length - end;
      return text;
    },
    end: () => ({ text: decodeComplete(), encoding }),
  };
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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
