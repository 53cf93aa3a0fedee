/*
 * The text of an XML file, in the encoding that its first bytes or its declaration name. Without either it is UTF-8; where it is not, what
 * Windows writes.
 */

/** An XML file that is not read, in a sentence. */
export class XmlFileProblem extends Error {
  override name = "XmlFileProblem";
}

type TextOptions = {
  onWindowsText?: (() => void) | undefined;
  /** Told how many lines are empty above the document, which may not have any. */
  onLinesAbove: (count: number) => void;
};

/** So many bytes hold the declaration. */
const START_BYTES = 1_000;
/** Handed on in pieces of this many characters at most, so that what is read of one is soon handed on, too. */
const PIECE = 65_536;

/** @throws XmlFileProblem */
export async function* readXmlText(
  chunks: AsyncIterable<Uint8Array>,
  { onWindowsText, onLinesAbove }: TextOptions,
): AsyncGenerator<string> {
  let decoder: Decoder | null = null;
  let linesAbove = 0;
  let isBegun = false;
  function* handOn(decoded: string): Generator<string> {
    let text = decoded;
    if (!isBegun) {
      text = decoded.replace(/^[\uFEFF\s]+/, "");
      linesAbove += decoded.slice(0, decoded.length - text.length).split("\n").length - 1;
      onLinesAbove(linesAbove);
      isBegun = text !== "";
    }
    for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
  }
  for await (const chunk of fromStart(chunks)) {
    decoder ??= decoderOf(chunk, onWindowsText);
    yield* handOn(decoder.decode(chunk));
  }
  if (decoder) yield* handOn(decoder.end());
}

/** The same bytes, of which the first have the declaration. */
async function* fromStart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === null) yield chunk;
    else {
      start = joined(start, chunk);
      if (start.length < START_BYTES) continue;
      yield start;
      start = null;
    }
  }
  if (start !== null) yield start;
}

type Decoder = { decode: (bytes: Uint8Array) => string; end: () => string };

function decoderOf(start: Uint8Array, onWindowsText: (() => void) | undefined): Decoder {
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return named("utf-16le");
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return named("utf-16be");
  const beginning = new TextDecoder("latin1").decode(start.subarray(0, START_BYTES));
  const declared = /^[^<]*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(beginning)?.[1] ?? "utf-8";
  // A file in UTF-16 that was saved as UTF-8 still says what it was.
  if (/^utf-?(?:8|16)|^(?:us-)?ascii$|ucs-?2|^unicode/i.test(declared)) return unsure(onWindowsText);
  return named(declared);
}

function named(encoding: string): Decoder {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding);
  } catch {
    throw new XmlFileProblem(
      `The file says that it is written in the encoding ${encoding.slice(0, 40)}, which is not known here. Ask for it in UTF-8.`,
    );
  }
  return { decode: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

/** Longer than any text or tag. */
const LONGEST = 10_000_000;

/** UTF-8, and text as Windows writes it from one tag's end to the next where it is not: files put together from several mix both. */
function unsure(onWindowsText: (() => void) | undefined): Decoder {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const western = new TextDecoder("windows-1252");
  let rest: Uint8Array = new Uint8Array();
  const decodeAll = (bytes: Uint8Array): string => {
    try {
      return utf8.decode(bytes);
    } catch {
      let text = "";
      for (let at = 0; at < bytes.length; ) {
        const end = bytes.indexOf(TAG_END, at) + 1 || bytes.length;
        const piece = bytes.subarray(at, end);
        try {
          text += utf8.decode(piece);
        } catch {
          onWindowsText?.();
          text += western.decode(piece);
        }
        at = end;
      }
      return text;
    }
  };
  return {
    decode: (bytes) => {
      const end = bytes.lastIndexOf(TAG_END) + 1;
      if (end === 0) {
        rest = joined(rest, bytes);
        if (rest.length > LONGEST)
          throw new XmlFileProblem("A text or a tag of the file is longer than 10 MB.");
        return "";
      }
      const text = decodeAll(joined(rest, bytes.subarray(0, end)));
      rest = bytes.slice(end);
      return text;
    },
    end: () => decodeAll(rest),
  };
}

/** '>': in UTF-8 no part of another character. */
const TAG_END = 0x3e;

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const whole = new Uint8Array(one.length + other.length);
  whole.set(one);
  whole.set(other, one.length);
  return whole;
}
