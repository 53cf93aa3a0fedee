import { SaxesParser } from "saxes";
import { namedLetters } from "./xml-entities.ts";
import { readXmlText, XmlFileProblem } from "./xml-text.ts";

/*
 * Reads a document of XML whose root has many records, such as the products of an ONIX message, one record at a time. Unlike the tables in a
 * workbook it comes from anywhere, so it has to be correct XML: of a file that isn't, nothing may be taken for the whole of it. Nothing it
 * refers to is opened, and it can define nothing.
 */

export type XmlElement = {
  /** Without its prefix, as `nameOf` writes it. */
  name: string;
  /** The line of the file on which it begins, from 1. */
  line: number;
  attributes: Readonly<Record<string, string>>;
  /** Its elements and texts, in their order. */
  parts: (XmlElement | string)[];
};

/** Characters; a product with all its texts and rights is a twentieth of it. */
const LONGEST_RECORD = 2_000_000;
const DEEPEST = 100;

type RecordOptions = {
  /** The name that an element has for the reader. */
  nameOf: (name: string) => string;
  /** Told once, before the first record ends, if the text is in no encoding that it names. */
  onWindowsText?: () => void;
};

/**
 * The elements in the root, each once it is complete.
 * @throws XmlFileProblem
 */
export async function* readXmlRecords(
  chunks: AsyncIterable<Uint8Array>,
  { nameOf, onWindowsText }: RecordOptions,
): AsyncGenerator<XmlElement> {
  const parser = new SaxesParser();
  parser.ENTITIES = namedLetters();
  const open: XmlElement[] = [];
  let records: XmlElement[] = [];
  let lineOffset = 0;
  /** Characters since anything was complete, and the line on which that was. */
  let waiting = 0;
  let completeLine = 1;
  let recordStart = 0;
  const names = new Map<string, string>();
  const known = (name: string) => {
    const before = names.get(name);
    if (before !== undefined) return before;
    const after = nameOf(name.slice(name.indexOf(":") + 1));
    if (names.size < 10_000) names.set(name, after);
    return after;
  };
  const line = () => parser.line + lineOffset;
  const complete = () => {
    waiting = 0;
    completeLine = line();
  };

  parser.on("doctype", (text) => {
    complete();
    if (/<!ENTITY\b/i.test(text))
      throw new XmlFileProblem(
        `The file defines entities of its own (before line ${line() + 1}), which can make a small file grow without end, so it is not read. Ask for the file without them.`,
      );
  });
  parser.on("opentagstart", ({ name }) => {
    complete();
    if (open.length === 1) recordStart = parser.position;
    if (open.length >= DEEPEST) throw tooMuch(line());
    open.push({ name: known(name), line: line(), attributes: {}, parts: [] });
  });
  parser.on("opentag", ({ attributes }) => {
    const element = open.at(-1);
    if (element) element.attributes = attributes;
  });
  const addText = (text: string) => {
    complete();
    // Texts of the root itself are the spaces between records.
    if (open.length > 1) open.at(-1)?.parts.push(text);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    complete();
    const element = open.pop();
    if (!element) return;
    if (open.length === 1) records.push(element);
    else open.at(-1)?.parts.push(element);
  });
  parser.on("comment", complete);
  let isOver = false;
  const atEnd: string[] = [];
  parser.on("error", (error) => {
    const reason = error.message.replace(/^(?:[^ ]*:)?\d+:\d+: /, "").replace(/\.$/, "");
    if (isOver && CUT_OFF.test(reason)) atEnd.push(reason);
    // A name of a letter has no end until the next semicolon.
    else if (reason.includes("entity name")) throw incorrect(completeLine, "& in a text in place of &amp;");
    else throw incorrect(line(), reason);
  });

  for await (const text of readXmlText(chunks, {
    onWindowsText,
    onLinesAbove: (count) => {
      lineOffset = count;
    },
  })) {
    waiting += text.length;
    parser.write(text);
    if (waiting > LONGEST_RECORD || (open.length > 1 && parser.position - recordStart > LONGEST_RECORD))
      throw tooMuch(open[1]?.line ?? line());
    if (records.length > 0) {
      yield* records;
      records = [];
    }
  }
  const begun = open[1]?.line;
  const lastLine = line();
  const middleLine = completeLine;
  isOver = true;
  parser.close();
  if (atEnd.includes(IN_THE_MIDDLE))
    throw new XmlFileProblem(
      `The file ends in the middle of a text or a tag that begins on line ${middleLine}, so nothing of it was read. Either it is not whole, or a text there has & in place of &amp;. Get it again.`,
    );
  if (atEnd.length > 0)
    throw new XmlFileProblem(
      `The file ends in the middle, on line ${lastLine}${begun ? ` (in what begins on line ${begun})` : ""}, so nothing of it was read. Get it again, whole.`,
    );
}

const IN_THE_MIDDLE = "unexpected end";
/** What the parser says at the end of a file, and nowhere else. */
const CUT_OFF = /^(?:unclosed tag: .*|unexpected end|document must contain a root element)$/;

const incorrect = (line: number, reason: string) =>
  new XmlFileProblem(
    `Line ${line} of the file is not correct XML (${reason}), so nothing of it was read. Ask for the file again.`,
  );

const tooMuch = (line: number) =>
  new XmlFileProblem(
    `What begins on line ${line} of the file is larger than any record can be, so nothing of it was read.`,
  );
