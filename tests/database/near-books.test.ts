import { beforeAll, describe, expect, test } from "vitest";
import { searchWords } from "#shared/owner/search-words.ts";
import { searchCall } from "#tests/support/book-search.ts";
import { addBook, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";

type Near = { books: { title: string }[]; meant: string | null; also: string | null };

describeDatabase("Books near to a search", (open) => {
  const near = async (
    q: string,
    filters: { [name: string]: string | number } = {},
    found = 0,
  ): Promise<Near> => {
    const [row] = await open().as(visitor, (query) =>
      query<{ found: Near }>(`select ${searchCall("near_books", "$2")} as found`, [{ q, ...filters }, found]),
    );
    return row?.found as Near;
  };
  const titles = async (...search: Parameters<typeof near>) =>
    (await near(...search)).books.map(({ title }) => title);

  beforeAll(async () => {
    await open().query("select private.set_search_words($1::jsonb)", [searchWords]);
    const maths = { subject: "Mathematics", publisher: "Sankofa" };
    for (const book of [
      { ...maths, title: "Number Work, Pupil's Book", grade_level: "Primary 4" },
      { ...maths, title: "Number Work, Teacher's Guide", grade_level: "Primary 4" },
      { ...maths, title: "Algebra First", grade_level: "Lower Secondary Stage 7" },
      { ...maths, title: "Algebra Next", grade_level: "JHS 2", publisher: "Collins" },
      { title: "Stage 70 Adventures", subject: "English" },
      { title: "Photosynthesis Explained", subject: "Science", isbn: "978-0-306-40615-7" },
      { title: "The Lion & the Jewel", authors: "Wole Soyinka" },
      { title: "Things Fall Apart", authors: "Chinua Achebe" },
      { title: "École élémentaire", subject: "French" },
      { title: "School Dictionary", description: "With a page about gorillas" },
      { title: "Encyclopædia of Dictionaries" },
    ])
      await addBook(open(), { price: 45, ...book });
  });

  test.for([
    ["guide number teachers", ["Number Work, Teacher's Guide"]],
    ["soyinka jewel", ["The Lion & the Jewel"]],
    ["jewel and lion", ["The Lion & the Jewel"]],
    ["apart things", ["Things Fall Apart"]],
    ["elementaire ecole", ["École élémentaire"]],
    ["dictionarys", ["School Dictionary", "Encyclopædia of Dictionaries"]],
    ["dictionary of schools", ["School Dictionary"]],
  ] as [string, string[]][])("has the words of '%s' in any order", async ([q, expected]) => {
    expect(await near(q)).toMatchObject({ books: expected.map((title) => ({ title })), meant: null });
  });

  test.for([
    ["maths class 4", ["Number Work, Pupil's Book", "Number Work, Teacher's Guide"]],
    ["basic 7 math", ["Algebra First"]],
    ["JHS1 mathematics", ["Algebra First"]],
    ["b8", ["Algebra Next"]],
    // The search itself finds 'stage 7' in the title of stage 70, which is another class.
    ["stage 7", ["Algebra First"]],
    ["textbook primary four", ["Number Work, Pupil's Book"]],
    ["facilitators guide for basic 4", ["Number Work, Teacher's Guide"]],
    ["teacher guides basic 4", ["Number Work, Teacher's Guide"]],
    ["general science", ["Photosynthesis Explained"]],
  ] as [string, string[]][])("knows what teachers also call '%s'", async ([q, expected]) => {
    expect(await titles(q)).toEqual(expected);
  });

  test.for([
    [
      "maths",
      ["Algebra Next", "Algebra First", "Number Work, Pupil's Book", "Number Work, Teacher's Guide"],
      "mathematics",
    ],
    // The words of other texts are searched apart, so no single word leads to the same books.
    ["maths class 4", ["Number Work, Pupil's Book", "Number Work, Teacher's Guide"], null],
    // Its own words are the search's to find, and what has only one of two words is not the same thing.
    ["mathematics", [], null],
    ["jewel lion", [], null],
    ["maths jewel", [], null],
    ["fotosynthesis", [], null],
    ["the", [], null],
  ] as [string, string[], string | null][])(
    "adds to a search that finds enough only what teachers also call '%s'",
    async ([q, titles, also]) => {
      expect(await near(q, {}, 8)).toEqual({
        books: titles.map((title) => expect.objectContaining({ title })),
        meant: null,
        also,
      });
    },
  );

  test("adds no more than 8 books to a search that finds enough", async () => {
    const books = await open().query<{ id: string }>(
      `insert into public.books (title, subject, price)
       select 'Counting Rods ' || n, 'Mathematics', 5 from generate_series(1, 9) as n returning id`,
    );
    expect((await near("maths", {}, 8)).books).toHaveLength(8);
    expect((await near("maths", {}, 7)).books.length).toBeGreaterThan(8);
    await open().query("delete from public.books where id = any ($1)", [books.map(({ id }) => id)]);
  });

  test.for([
    ["fotosynthesis explaned", "photosynthesis explained", "Photosynthesis Explained"],
    ["things fall appart", "things fall apart", "Things Fall Apart"],
    ["algerba next", "algebra next", "Algebra Next"],
    ["acheb chinua", null, "Things Fall Apart"],
    ["the dictionery school", "the dictionary school", "School Dictionary"],
  ] as [string, string | null, string][])(
    "forgives '%s', and says what was meant",
    async ([q, meant, first]) => {
      const found = await near(q);
      expect(found.meant).toBe(meant);
      expect(found.books[0]?.title).toBe(first);
    },
  );

  test("are not those that the search itself finds", async () => {
    expect(await titles("Things Fall Apart")).toEqual([]);
    expect(await titles("dictionary")).toEqual(["Encyclopædia of Dictionaries"]);
    expect(await titles("gorillas")).toEqual([]);
  });

  test("have the ISBN in a text that says more", async () => {
    for (const q of [
      "photos 978\u20110\u2011306\u201140615\u20117",
      "light 0-306-40615-2",
      "photos 9780306406157",
    ])
      expect([q, await titles(q)]).toEqual([q, ["Photosynthesis Explained"]]);
    expect(await titles("9781234567897")).toEqual([]);
  });

  test("keep to the filters", async () => {
    expect(await titles("maths jhs 2")).toEqual(["Algebra Next"]);
    expect(await titles("algebra jhs 2", { publisher: "Sankofa" })).toEqual(["Algebra First"]);
    expect(await titles("maths algebra", { publisher: "Sankofa" })).toEqual(["Algebra First"]);
    expect(await titles("maths algebra", { page_size: 1 })).toHaveLength(1);
    expect(await titles("maths algebra", { page_size: 1_000_000 })).toHaveLength(2);
  });

  test("books with only some of the words come only where no book has all, and have at least half", async () => {
    expect(await titles("wassce algebra next")).toEqual(["Algebra Next"]);
    for (let volume = 0; volume < 12; volume++)
      await addBook(open(), { title: `Tall Story ${volume}`, price: 45 });
    await addBook(open(), { title: "Ananse and the Pot", price: 45 });
    expect(await titles("ananse story")).toEqual(["Ananse and the Pot"]);
    expect(await titles("photosynthesis zzzz yyyy xxxx")).toEqual([]);
  });

  describe("are looked for whatever is typed:", () => {
    test.for([
      ...[
        "",
        "  ",
        "%",
        "_",
        "'; drop table public.books; --",
        "%L %s %1$s",
        "\\",
        "the",
        "📚",
        "| |",
        "+",
        "11+",
      ],
      "x".repeat(5000),
      "word ".repeat(1000),
    ])("%s", async (q) => {
      const { books } = await near(q);
      expect(books.length).toBeLessThanOrEqual(24);
    });
  });

  test("know a word of a changed book, and forget a deleted book's", async () => {
    const admin = await addStaff(open(), "admin");
    const { id } = await addBook(open(), { title: "Hippopotamus Tales", price: 45 });
    expect((await near("hipopotamus")).meant).toBe("hippopotamus");
    await open().as(admin, (query) =>
      query("update public.books set title = 'Rhinoceros Tales' where id = $1", [id]),
    );
    expect((await near("rhinocerus")).meant).toBe("rhinoceros");
    expect((await near("hipopotamus")).meant).toBeNull();
    await open().query("delete from public.books where id = $1", [id]);
    expect(await near("rhinocerus")).toEqual({ books: [], meant: null, also: null });
  });

  test("let two imports add the same words in opposite order without waiting for each other", async () => {
    const words = "select private.keep_book_words($1::text[])";
    await open().transaction(async (one) => {
      await one(words, [[" xylophone "]]);
      await open().transaction(async (other) => {
        await other("set local lock_timeout = '2s'");
        await other(words, [[" zucchini "]]);
        await other(words, [[" xylophone "]]);
      });
      await one(words, [[" zucchini "]]);
    });
    await addBook(open(), { title: "Zucchini Xylophone", price: 45 });
    expect(await near("zuchini xylofone")).toMatchObject({
      meant: "zucchini xylophone",
      books: [{ title: "Zucchini Xylophone" }],
    });
  });

  test("are found in the same way by words that the owner adds", async () => {
    await addBook(open(), { title: "Kente Patterns", price: 45 });
    expect(await titles("nwentoma")).toEqual([]);
    await open().query("select private.set_search_words($1::jsonb)", [
      [...searchWords, ["kente", "nwentoma"]],
    ]);
    expect(await titles("Nwentoma")).toEqual(["Kente Patterns"]);
  });
});

test("Every line of the owner's list has at least two words, each once", () => {
  for (const line of searchWords) {
    const words = line.map((word) => word.toLowerCase());
    expect(words.length, line.join(", ")).toBeGreaterThan(1);
    expect(new Set(words).size, line.join(", ")).toBe(words.length);
  }
});
