/** The families of colours that generated covers have: one for each of these subjects and publishers, and one for all others. */
const subjects = [
  "mathematics",
  "english",
  "science",
  "physics",
  "chemistry",
  "biology",
  "history",
  "geography",
  "business",
  "economics",
  "computer",
] as const;

const publishers = ["cambridge", "collins", "cgp", "hachette", "schofield sims", "skoldo"] as const;

export type CoverName = (typeof subjects)[number] | (typeof publishers)[number] | "plain";

type ColouredBook = { subject: string | null; publisher: string | null };

/** What names a book's colours: its subject, by whole word in the listed order, else its publisher, else "plain". */
export const coverName = (book: ColouredBook): CoverName =>
  firstNamed(subjects, book.subject) ?? firstNamed(publishers, book.publisher) ?? "plain";

/** The class of a cover with these colours; `npm run draw -- cloth` writes its rule. */
export const coverClass = (name: CoverName) => `cover-${name.replace(" ", "-")}`;

/** `Schofield & Sims` has the words `schofield sims`, so that the character between them does not matter. */
function firstNamed<Name extends string>(names: readonly Name[], text: string | null): Name | null {
  const words = ` ${
    (text ?? "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
  return names.find((name) => words.includes(` ${name} `)) ?? null;
}
