import { chanceFrom } from "#tests/torture/random.ts";

/*
 * A price list as suppliers send them: two people's spreadsheets pasted together, saved by an old Excel. Every fault that
 * was seen in real lists is in it many times, and for every row it is known what must become of it.
 */

type Book = { title: string; publisher: string | null; isbn: string | null; price: number; stock: number };

/** What must become of one row: the book that it is, or why it is left out. */
export type Fate = { line: number } & (
  | { book: Book; reason?: never; notABook?: never }
  | { reason: string; notABook?: boolean; book?: never }
);

export type SupplierList = { text: string; fates: Fate[] };

const SUBJECTS = [
  "Mathematics",
  "English Language",
  "Integrated Science",
  "Français",
  "Social Studies",
  "Computing",
];
const SERIES = [
  "Pupil’s Book",
  "Teacher’s Guide",
  "Workbook",
  "Practice Papers – Set",
  "Élan Reader",
  "Revision Cards",
];
const SPELLINGS = {
  "Cambridge University Press": [
    "Cambridge University Press",
    "CAMBRIDGE UNIVERSITY PRESS",
    "cambridge  university press",
  ],
  "Schofield & Sims": ["Schofield & Sims", "Schofield &amp; Sims", "SCHOFIELD AND SIMS", "Schofield&Sims"],
  CGP: ["CGP", "cgp", "C.G.P.", "Cgp "],
  "Smartline Publishers": [
    "Smartline Publishers",
    "Smartline Publishers",
    "Smartline Publishers",
    "SMARTLINE PUBLISHERS",
  ],
} as const;

const HEADINGS = "Title of Book;ISBN No.;Publisher;Unit Price (GH₵);Qty in Stock;Class;Subject;Subject;;";
const WIDTH = HEADINGS.split(";").length;

/** The list as text. The same seed makes the same list; its ISBNs begin with the digits given. */
export function makeSupplierList(seed: number, rows = 3_000): SupplierList {
  const random = chanceFrom(seed).next;
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  const fates: Fate[] = [];
  const isbns: string[] = [];
  let text = "sep=;\r\n";
  let line = 2;
  const write = (content: string, fate?: { book: Book } | { reason: string; notABook?: boolean }) => {
    if (fate) fates.push({ line, ...fate });
    const ending = pick(["\r\n", "\r\n", "\r\n", "\n", "\r"]);
    // Behind an empty line's carriage return a line feed would end the same line, not another one.
    text += content === "" && ending === "\n" && text.endsWith("\r") ? "\r\n" : content + ending;
    line += content.split(/\r\n|\r|\n/).length;
  };

  write(`ADOM EDUCATIONAL SUPPLIES – ACCRA${";".repeat(WIDTH - 1)}`, {
    reason: "above the headings",
    notABook: true,
  });
  write(`Price list;;;2026${";".repeat(WIDTH - 4)}`, {
    reason: "above the headings",
    notABook: true,
  });
  write("");
  write(HEADINGS);

  for (let number = 1; number <= rows; number += 1) {
    const isbn13 = isbnOf(seed, number);
    const subject = pick(SUBJECTS);
    const plain = `${subject} ${pick(SERIES)} ${number}`;
    const [publisher, spellings] = pick(Object.entries(SPELLINGS));
    const pesewas = 500 + below(200_000);
    const stock = below(1_500);
    const cells = [
      plain,
      pick(spell(isbn13)),
      pick(spellings),
      pick(prices(pesewas)),
      pick(stocks(stock)),
      `Basic ${1 + below(9)}`,
      subject,
      "x",
      "",
      "",
    ];
    const good = { title: plain, publisher, isbn: isbn13, price: pesewas / 100, stock };
    const set = (index: number, value: string) => {
      cells[index] = value;
    };
    const refuse = (reason: string) => write(csv(cells), { reason });
    switch (number % 5 === 0 ? below(16) : 16 + below(24)) {
      case 0:
        set(1, "9.78E+12");
        refuse("lost its digits");
        break;
      case 1:
        set(1, pick(["12/03/2026", "2026-03-12", "12-Mar-26"]));
        refuse("is a date");
        break;
      case 2:
        set(1, roundedIsbn(isbn13));
        refuse("was rounded");
        break;
      case 3:
        set(3, "1.250");
        refuse("can be read in two ways");
        break;
      case 4:
        set(3, "");
        refuse("The price is missing.");
        break;
      case 5:
        set(3, pick(["POA", "call us", "-45"]));
        refuse("is not an amount of 0 or more.");
        break;
      case 6:
        set(0, pick(["", "  "]));
        refuse("The title is missing.");
        break;
      case 7:
        set(3, "#REF!");
        refuse("spreadsheet's error (#REF!)");
        break;
      case 8:
        set(4, "1.200");
        refuse("can be read in two ways");
        break;
      case 9:
        set(4, pick(["plenty", "-3"]));
        refuse("is not a whole number");
        break;
      case 10:
        write(`"${cells.join(";")}`, { reason: "never closes" });
        break;
      case 11:
        write(`${plain}; with answers; paper; new;${cells.slice(1).join(";")}`, {
          reason: "more cells than there are headings",
        });
        break;
      case 12:
        write(`Total;;;${pick(prices(12_345_600))};1200${";".repeat(WIDTH - 5)}`, {
          reason: "line of totals",
          notABook: true,
        });
        break;
      case 13:
        write(HEADINGS, { reason: "headings are repeated", notABook: true });
        break;
      case 14:
        if (isbns.length === 0) write(csv(cells), { book: good });
        else {
          set(1, pick(isbns));
          refuse("The same ISBN is in line");
        }
        break;
      case 15:
        write(";".repeat(below(WIDTH)));
        write(csv(cells), { book: good });
        isbns.push(isbn13);
        break;
      case 16:
        set(0, plain.replace("’", "&#39;").replace(subject, `${subject} &amp; You`));
        write(csv(cells), {
          book: { ...good, title: plain.replace("’", "'").replace(subject, `${subject} & You`) },
        });
        break;
      case 17:
        set(0, `${plain} 12" wide`);
        write(cells.join(";"), { book: { ...good, title: `${plain} 12" wide` } });
        break;
      case 18:
        set(0, `${plain}\nwith CD`);
        write(csv(cells), { book: { ...good, title: `${plain} with CD` } });
        break;
      case 19:
        set(0, `${plain}; "New" edition`);
        write(csv(cells), { book: { ...good, title: `${plain}; "New" edition` } });
        break;
      case 20:
        write(cells.slice(0, 5).join(";"), { book: good });
        break;
      case 21:
        set(1, pick(["", "N/A", "-"]));
        write(csv(cells), { book: { ...good, isbn: null } });
        break;
      case 22:
        set(2, "");
        write(csv(cells), { book: { ...good, publisher: null } });
        break;
      case 23:
        write(` "${cells[0]}" ;${cells.slice(1).join(";")}`, { book: good });
        isbns.push(isbn13);
        break;
      default:
        write(csv(cells), { book: good });
        isbns.push(isbn13);
    }
  }
  return { text, fates };
}

function csv(cells: string[]): string {
  return cells.map((cell) => (/[";\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(";");
}

function spell(isbn13: string): string[] {
  const hyphens = isbn13.replace(/^(\d{3})(\d)(\d{4})(\d{4})(\d)$/, "$1-$2-$3-$4-$5");
  return [isbn13, hyphens, `ISBN ${hyphens}`, `${isbn13}.0`, hyphens.replaceAll("-", " ")];
}

function prices(pesewas: number): string[] {
  const [whole = "", cents] = (pesewas / 100).toFixed(2).split(".");
  const grouped = (sign: string) => whole.replace(/\B(?=(\d{3})+$)/g, sign);
  return [
    `${whole}.${cents}`,
    `${whole},${cents}`,
    `${grouped(".")},${cents}`,
    `${grouped(",")}.${cents}`,
    `${grouped(" ")},${cents}`,
    `GH₵ ${whole}.${cents}`,
    `GHS${grouped(",")}.${cents}`,
  ];
}

function stocks(stock: number): string[] {
  return [
    `${stock}`,
    `${stock}.0`,
    `${stock} copies`,
    stock >= 1_000 ? `${stock}`.replace(/(\d{3})$/, " $1") : `${stock}`,
  ];
}

/** Thirteen digits that belong to no publisher, with their check digit. */
function isbnOf(seed: number, number: number): string {
  const twelve = `9799${String(seed % 1_000).padStart(3, "0")}${String(number).padStart(5, "0")}`;
  const sum = [...twelve].reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 3 : 1), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}

/** As a spreadsheet writes it that shows seven digits; never a number with the right check digit. */
function roundedIsbn(isbn13: string): string {
  return `${isbn13.slice(0, 7)}000000`;
}
