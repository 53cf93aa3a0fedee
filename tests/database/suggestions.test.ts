import { beforeAll, expect, test } from "vitest";
import { searchWords } from "#shared/owner/search-words.ts";
import { addBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";

const visitor = { role: "anon" } as const;

describeDatabase("Suggestions while typing", (open) => {
  const suggest = async (q: string) =>
    (
      await open().as(visitor, (query) =>
        query<{ title: string }>("select title from public.suggest_books($1)", [q]),
      )
    ).map(({ title }) => title);

  beforeAll(async () => {
    await open().query("select private.set_search_words($1::jsonb)", [searchWords]);
    const add = (title: string, more: object = {}) => addBook(open(), { title, ...more });
    await add("Quadratic Équations", { publisher: "Skoldo", isbn: "978-0-00-813536-2" });
    await add("Workbook of Quadratic Curves", { publisher: "Collins" });
    await add("Aqueducts", { subject: "Quadratics" });
    await add("Qtrl Mathematics 100%_", { publisher: "CGP" });
    for (let n = 10; n < 20; n += 1) await add(`Zulu Reader ${n}`);
  });

  test("are titles that begin with the text, then titles that have it, then books that have it elsewhere", async () => {
    expect(await suggest("quad")).toEqual([
      "Quadratic Équations",
      "Workbook of Quadratic Curves",
      "Aqueducts",
    ]);
  });

  test("take words in any order, the last one unfinished, without accents and case", async () => {
    expect(await suggest("EQUATIONS qu")).toEqual(["Quadratic Équations"]);
    expect(await suggest("quadratic equ")).toEqual(["Quadratic Équations"]);
    expect(await suggest("quadratic skol")).toEqual(["Quadratic Équations"]);
  });

  test("know the words that mean the same", async () => {
    expect(await suggest("qtrl maths")).toEqual(["Qtrl Mathematics 100%_"]);
  });

  test("take a filler as the beginning of a word while it is typed", async () => {
    await addBook(open(), { title: "Integrated Qwerty" });
    expect(await suggest("qwerty in")).toEqual(["Integrated Qwerty"]);
  });

  test("find an ISBN from its fourth digit on, long or short, with hyphens or without", async () => {
    for (const typed of ["978-0-00-8135", "97800081", "0-00-813536", "978-0-00-813536-2"])
      expect(await suggest(typed)).toEqual(["Quadratic Équations"]);
  });

  test("offer what the search finds where no book has all words: with a word too many, and parts of words", async () => {
    expect(await suggest("equations quadratic second hand")).toEqual(["Quadratic Équations"]);
    expect(await suggest("quadratic equations isbn 9780008135362")).toEqual(["Quadratic Équations"]);
    expect(await suggest("isbn-13: 978-0-00-813536-2")).toEqual(["Quadratic Équations"]);
    expect(await suggest("queducts")).toEqual(["Aqueducts"]);
    expect(await suggest("08135362")).toEqual(["Quadratic Équations"]);
    expect(await suggest("quadratic xyzzyx plugh")).toEqual([]);
  });

  test("have the price in cedis and what a cover is drawn from", async () => {
    const book = {
      title: "Vexing Puzzles",
      publisher: "CGP",
      course: "KS2",
      subject: "Puzzles",
      price: 12.5,
    };
    await addBook(open(), book);
    const found = await open().as(visitor, (query) =>
      query("select to_jsonb(b) - 'id' as book from public.suggest_books('vexing') b"),
    );
    expect(found).toEqual([{ book: { ...book, image_url: null } }]);
  });

  test("take digits for a title too, which comes before an ISBN", async () => {
    await addBook(open(), { title: "A Reader's 1984" });
    await addBook(open(), { title: "1984" });
    await addBook(open(), { title: "Aztec Days", isbn: "978-1-984-00002-6" });
    expect(await suggest("1984")).toEqual(["1984", "A Reader's 1984", "Aztec Days"]);
    expect(await suggest("198")).toEqual(["1984", "A Reader's 1984"]);
  });

  test("look at the first 60 characters", async () => {
    expect(await suggest(`zulu reader 10${" ".repeat(60)}zzz`)).toEqual(["Zulu Reader 10"]);
    expect(await suggest("zu".repeat(5_000))).toEqual([]);
  });

  test("are at most five, and none below two characters", async () => {
    expect(await suggest("zu")).toEqual([10, 11, 12, 13, 14].map((n) => `Zulu Reader ${n}`));
    for (const typed of ["", " ", "q", " q ", "\u00a0"]) expect(await suggest(typed)).toEqual([]);
  });

  test.each(["100%_", "%%", "__", "\\\\", "' or true --", "q'); drop", "++", "| |", "of the in"])(
    "take %j for text",
    async (typed) => {
      const found = await suggest(typed);
      expect(found).toEqual(typed === "100%_" ? ["Qtrl Mathematics 100%_"] : []);
    },
  );
});
