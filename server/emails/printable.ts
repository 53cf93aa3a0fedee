/**
 * The characters that the PDF font has (workshop/print-font.ts), as first and last of each range: Latin with African
 * letters, Greek, Cyrillic, marks and currencies.
 */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x2af],
  [0x300, 0x304],
  [0x306, 0x30c],
  [0x323, 0x323],
  [0x391, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x1e00, 0x1eff],
  [0x2013, 0x2014],
  [0x2018, 0x201e],
  [0x2020, 0x2022],
  [0x2026, 0x2026],
  [0x2030, 0x2030],
  [0x2039, 0x203a],
  [0x20a6, 0x20a6],
  [0x20ac, 0x20ac],
  [0x20b5, 0x20b5],
  [0x2122, 0x2122],
  [0x2212, 0x2212],
] as const;

const has = (character: string) => {
  const code = character.codePointAt(0) ?? 0;
  return character === "\n" || ranges.some(([first, last]) => code >= first && code <= last);
};

/** Replaces characters that the PDF font lacks with question marks. The CSV file has them. */
export const printable = (text: string): string => [...text].map((one) => (has(one) ? one : "?")).join("");
