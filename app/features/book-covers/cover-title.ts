/** Sets a title in lines of a given width without measuring in a browser. */

interface SetTitle {
  lines: string[];
  /** In the cover's units. */
  fontSize: number;
  lineHeight: number;
}

/** Widths of the display face in thousandths of an em, by letter; anything else counts as wide. */
const widths: [letters: string, width: number][] = [
  [" .,:;'’!|il", 280],
  ['()[]/-‐·jtfrI1"“”', 400],
  ["abcdeghknopqsuvxyzɛɔJ023456789?ŋ", 560],
  ["ABCEFGHKLNPRSTUVXYZ+&£$€₵=", 690],
  ["DOQwMmW%@—", 900],
];
const widthOf = new Map(widths.flatMap(([letters, width]) => [...letters].map((letter) => [letter, width])));

/** Estimated width of a text in em. */
export function textWidth(text: string): number {
  let sum = 0;
  for (const letter of text)
    sum += widthOf.get(letter) ?? widthOf.get(letter.normalize("NFD").charAt(0)) ?? 900;
  return sum / 1000;
}

/** From the size for short titles down to the smallest that is readable on a shelf. */
const sizes = [36, 30, 25, 21, 18];

/**
 * The title in the largest size at which its words stay whole and its lines fit `width` and `depth` (cover units);
 * a number stays with the word before it. At the smallest size what does not fit ends in an ellipsis, and a word
 * wider than a line is broken.
 */
export function setTitle(title: string, width: number, depth: number): SetTitle {
  const words = title.trim().split(/\s+(?!\d{1,2}(?:\s|$))/);
  let result: SetTitle = { lines: [], fontSize: 0, lineHeight: 0 };
  for (const fontSize of sizes) {
    const room = width / fontSize;
    const lineHeight = Math.round(fontSize * 1.13);
    const maxLines = Math.min(fontSize > 30 ? 2 : 9, Math.floor((depth - fontSize / 4) / lineHeight) + 1);
    const lines = breakLines(words, room, maxLines + 1);
    result = { lines, fontSize, lineHeight };
    if (lines.length <= maxLines && words.every((word) => textWidth(word) <= room)) return result;
    if (lines.length > maxLines) result.lines = cut(lines.slice(0, maxLines), room);
  }
  return result;
}

/** The text, or as much of it as `room` em hold with an ellipsis. */
export function clipText(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  return `${fitting(text, room - 0.8).replace(/[\s,:;.&-]+$/, "")}…`;
}

/** At most `most` lines, filled word by word. */
function breakLines(words: readonly string[], room: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line ? `${line} ${word}` : word;
    if (textWidth(longer) <= room) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = word;
    while (textWidth(line) > room && lines.length < most) {
      const head = fitting(line, room - 0.4);
      lines.push(`${head}-`);
      line = line.slice(head.length);
    }
    if (lines.length >= most) return lines.slice(0, most);
  }
  return line ? [...lines, line] : lines;
}

/** Marks that the title continues after the last line. */
function cut(lines: string[], room: number): string[] {
  const last = fitting(lines.at(-1) ?? "", room - 0.8).replace(/[\s,:;.&-]+$/, "");
  return [...lines.slice(0, -1), `${last}…`];
}

/** The longest start of the text that is no wider than `room` em, at least one letter. */
function fitting(text: string, room: number): string {
  let beginning = "";
  let sum = 0;
  for (const letter of text) {
    sum += textWidth(letter);
    if (beginning && sum > room) break;
    beginning += letter;
  }
  return beginning;
}
