import { decodeGlyphs, readPages } from "./pdf-text.ts";

/** A text on paper: where its first letter begins, in millimetres from the page's upper left corner; `y` is the line it stands on. */
export type PlacedText = { text: string; x: number; y: number };

/** A page's size in millimetres, and its texts from top to bottom and from left to right. */
export type PlacedPage = { width: number; height: number; texts: PlacedText[] };

const MM_PER_POINT = 25.4 / 72;

/** A transformation: x' = a x + c y + e, y' = b x + d y + f (PDF 1.7, 8.3.3). */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

const unchanged: Matrix = [1, 0, 0, 1, 0, 0];

const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
];

/** What Chromium prints: the pages of a PDF with the places of their texts, in the order of their numbers in the file. */
export function placedPages(pdf: Buffer): PlacedPage[] {
  return readPages(pdf).map(({ head, content, charactersOf }) => {
    const box = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/.exec(head);
    const [width, height] = [Number(box?.[1]), Number(box?.[2])];
    const texts = placedTexts(content, charactersOf).map(({ text, x, y }) => ({
      text,
      x: x * MM_PER_POINT,
      y: (height - y) * MM_PER_POINT,
    }));
    return {
      width: width * MM_PER_POINT,
      height: height * MM_PER_POINT,
      texts: texts.sort((one, other) => one.y - other.y || one.x - other.x),
    };
  });
}

const tokens = /\[[^\]]*\]|<[\da-fA-F]*>|\/[^\s/<>[\]()]+|[-+]?\d*\.?\d+|[A-Za-z'"*]+/g;

function placedTexts(content: string, charactersOf: (font: string) => Map<string, string>): PlacedText[] {
  const texts: PlacedText[] = [];
  const saved: Matrix[] = [];
  let operands: string[] = [];
  let page = unchanged;
  let line = unchanged;
  let characters = new Map<string, string>();
  const matrix = () => operands.slice(-6).map(Number) as unknown as Matrix;
  for (const [token] of content.matchAll(tokens)) {
    if (!/^[A-Za-z'"*]/.test(token)) {
      operands.push(token);
      continue;
    }
    if (token === "q") saved.push(page);
    else if (token === "Q") page = saved.pop() ?? unchanged;
    else if (token === "cm") page = times(matrix(), page);
    else if (token === "BT") line = unchanged;
    else if (token === "Tm") line = matrix();
    else if (token === "Td") {
      const [x = 0, y = 0] = operands.slice(-2).map(Number);
      line = times([1, 0, 0, 1, x, y], line);
    } else if (token === "Tf") characters = charactersOf(operands.at(-2)?.slice(1) ?? "");
    else if (token === "Tj" || token === "TJ") {
      const glyphs = [...(operands.at(-1) ?? "").matchAll(/<([\da-fA-F]+)>/g)].map(([, hex]) => hex ?? "");
      const [, , , , x, y] = times(line, page);
      texts.push({ text: decodeGlyphs(glyphs.join(""), characters), x, y });
    }
    operands = [];
  }
  return texts;
}
