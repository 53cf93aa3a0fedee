import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { addBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";

type Arguments = { [name: string]: string | number | null | undefined };

describeDatabase("Searching the catalogue", (open) => {
  const call = (name: "search_books" | "count_books", search: Arguments, columns = "*") =>
    open().as(visitor, (query) =>
      query<{ id: string; title: string }>(`select ${columns} from ${searchCall(name)}`, [search]),
    );
  const listFacets = (q: string | null = null) =>
    open().as(visitor, (query) =>
      query<Record<string, unknown>>("select facet, value, books, total from public.list_book_facets($1)", [
        q,
      ]),
    );
  const titles = async (filters: Arguments) => {
    const found = (await call("search_books", filters)).map(({ title }) => title);
    const { page, page_size, after_title, after_id, before_title, before_id, ...counted } = filters;
    if (Object.keys(filters).length === Object.keys(counted).length && found.length < 24) {
      expect(await call("count_books", counted)).toEqual([{ count_books: found.length }]);
    }
    return found;
  };

  test("a letter has the same code in a text of few different letters and in one of many", async () => {
    const letters = (count: number) =>
      String.fromCharCode(...Array.from({ length: count }, (_, at) => 0x4e00 + at));
    const keys = await open().query<{ key: string }>(
      "select private.search_key(text) as key from unnest($1::text[]) as text",
      [[`${letters(64)} ɔ📚 plain`, letters(200), ...letters(64), "ɔ", "📚"]],
    );
    const [few = "", many = "", ...each] = keys.map(({ key }) => key);
    expect(many.startsWith(each.slice(0, 64).join(""))).toBe(true);
    expect(few).toBe(`${each.slice(0, 64).join("")}Z${each.slice(64).join("")}Zplain`);
    expect(new Set(each).size).toBe(66);
  });

  beforeAll(async () => {
    const books = [
      { title: "10% Happier", publisher: "Collins", price: 60, average: 4.5 },
      { title: "100 Happier Days", publisher: "Collins", price: 80 },
      { title: "O'Brien's Atlas", publisher: "CGP", subject: "Geography", price: 100, average: 3 },
      { title: "O’Neill on Poetry", publisher: "CGP", subject: "English", price: 120 },
      { title: "(The Hunger Games, #1)", publisher: "Skoldo", price: 45 },
      { title: 'The "Quoted" Phrase, a study', publisher: "Skoldo", price: 45 },
      { title: "snake_case for beginners", subject: "Computer Science", price: 45 },
      { title: "snakeXcase", subject: "Computer Science", price: 45 },
      { title: "Back\\slash", price: 45 },
      { title: "Stars * and more", price: 45 },
      { title: "Emoji 📚 for teachers", price: 45 },
      { title: "École élémentaire", authors: "Ɛsi Ébène; O’Hara, Ama", course: "Français", price: 45 },
      { title: "Ɛkɔ kan", publisher: "Sub-Saharan", course: "Twi", price: 45 },
      { title: "With an old ISBN", isbn: "0521497817", price: 45 },
      { title: "With a new ISBN", isbn: "978-0-306-40615-7", price: 45 },
      { title: "With a code", isbn: "AB-INT-0042", price: 45 },
      { title: "Told apart", description: "A line about volcanoes\nand another about rivers", price: 45 },
      {
        title: "Filtered",
        grade_level: "Year 7",
        curriculum_type: "IB",
        course: "MYP",
        subject: "Art",
        price: 45,
      },
    ];
    for (const { average, ...book } of books) {
      const { id } = await addBook(open(), book);
      if (average)
        await open().query("update public.books set average_rating = $2 where id = $1", [id, average]);
    }
  });

  describe("takes every character of the text literally:", () => {
    test.for([
      ["10% happier", ["10% Happier"]],
      ["%", ["10% Happier"]],
      ["_", ["snake_case for beginners"]],
      ["e_c", ["snake_case for beginners"]],
      ["\\", ["Back\\slash"]],
      ["o'brien", ["O'Brien's Atlas"]],
      ["O'Neill", ["O’Neill on Poetry"]],
      ["o’brien", ["O'Brien's Atlas"]],
      ['"quoted" phrase, a', ['The "Quoted" Phrase, a study']],
      ["(The Hunger Games, #1)", ["(The Hunger Games, #1)"]],
      ["*", ["Stars * and more"]],
      ["📚", ["Emoji 📚 for teachers"]],
      ["🙈", []],
      ["'; drop table public.books; --", []],
      ["%L %s %1$s", []],
      ["\\' or true --", []],
    ] as [string, string[]][])("%s", async ([q, expected]) => {
      expect(await titles({ q: q })).toEqual(expected);
    });
  });

  test("finds part of a title, publisher, course, subject or description, ignoring case and accents", async () => {
    expect(await titles({ q: "HAPPIER" })).toEqual(["10% Happier", "100 Happier Days"]);
    expect(await titles({ q: "collin" })).toEqual(["10% Happier", "100 Happier Days"]);
    expect(await titles({ q: "francais" })).toEqual(["École élémentaire"]);
    expect(await titles({ q: "ÉCOLE" })).toEqual(["École élémentaire"]);
    expect(await titles({ q: "o'hara, AMA" })).toEqual(["École élémentaire"]);
    expect(await titles({ q: "ebene; o" })).toEqual(["École élémentaire"]);
    expect(await titles({ q: "ɛkɔ" })).toEqual(["Ɛkɔ kan"]);
    expect(await titles({ q: "geograph" })).toEqual(["O'Brien's Atlas"]);
    expect(await titles({ q: "volcano" })).toEqual(["Told apart"]);
    expect(await titles({ q: "  atlas \t" })).toEqual(["O'Brien's Atlas"]);
  });

  test("never finds a text that spans two fields", async () => {
    expect(await titles({ q: "atlas cgp" })).toEqual([]);
    expect(await titles({ q: "Atlas\ncgp" })).toEqual([]);
  });

  test("finds an ISBN however it is written, whole or in part", async () => {
    for (const q of [
      "0521497817",
      "0-521-49781-7",
      "978-0-521-49781-7",
      "9780521497817",
      "052149",
      "978-0-521",
    ]) {
      expect([q, await titles({ q: q })]).toEqual([q, ["With an old ISBN"]]);
    }
    for (const q of ["978-0-306-40615-7", "9780306406157", "0306406152", "0-306-40615-2", "306-40615"]) {
      expect([q, await titles({ q: q })]).toEqual([q, ["With a new ISBN"]]);
    }
    for (const q of ["ab-int-0042", "AB-INT", "abint0042"])
      expect(await titles({ q: q })).toEqual(["With a code"]);
  });

  test("shows all books for a blank text, and cuts a long one to 200 characters", async () => {
    const all = await call("count_books", {});
    for (const q of ["", "   ", "\u0001\n"]) expect(await call("count_books", { q: q })).toEqual(all);
    expect(await titles({ q: "x".repeat(5000) })).toEqual([]);
    const long = "📚".repeat(200);
    await addBook(open(), { title: long, price: 45 });
    expect(await titles({ q: `${long}and more` })).toEqual([long]);
    await open().query("delete from public.books where title = $1", [long]);
  });

  test("combines the text with every filter", async () => {
    expect(await titles({ publisher: "CGP" })).toEqual(["O'Brien's Atlas", "O’Neill on Poetry"]);
    expect(await titles({ publisher: "cgp" })).toEqual([]);
    expect(await titles({ publisher: "CGP", subject: "English" })).toEqual(["O’Neill on Poetry"]);
    expect(await titles({ course: "MYP", grade_level: "Year 7", curriculum_type: "IB" })).toEqual([
      "Filtered",
    ]);
    expect(await titles({ min_price: 80, max_price: 100 })).toEqual(["100 Happier Days", "O'Brien's Atlas"]);
    expect(await titles({ min_rating: 3 })).toEqual(["10% Happier", "O'Brien's Atlas"]);
    expect(await titles({ min_rating: 3.1 })).toEqual(["10% Happier"]);
    expect(await titles({ q: "happier", min_price: 61 })).toEqual(["100 Happier Days"]);
    expect(await titles({ q: "happier", publisher: "" })).toHaveLength(2);
  });

  test("sorts by title without regard to case and accents", async () => {
    const found = await titles({ q: "e", page_size: 100 });
    const folded = found.map((title) =>
      title.normalize("NFD").replace(/\p{M}/gu, "").replace("Ɛ", "e").replace("’", "'").toLowerCase(),
    );
    expect(folded).toEqual([...folded].sort());
    expect(found.indexOf("École élémentaire")).toBeLessThan(found.indexOf("Filtered"));
  });

  test("sorts the volumes of a series by their numbers, forwards and backwards", async () => {
    const series = ["Reader 1", "Reader 2", "Reader 2B", "reader 10", "Reader 10: Stories 9", "Reader 100"];
    const ids = new Map<string, string>();
    for (const title of [...series].reverse())
      ids.set(title, (await addBook(open(), { title, publisher: "Volumes" })).id);
    const volumes = { publisher: "Volumes" };
    expect(await titles(volumes)).toEqual(series);
    for (const [at, title] of series.entries()) {
      const id = ids.get(title);
      expect(await titles({ ...volumes, after_title: title, after_id: id })).toEqual(series.slice(at + 1));
      expect(await titles({ ...volumes, before_title: title, before_id: id })).toEqual(series.slice(0, at));
    }
    await open().query("delete from public.books where publisher = 'Volumes'");
  });

  test("lists the publishers, courses and subjects of the matches with their numbers of books", async () => {
    const facets = await listFacets("happier");
    expect(facets).toEqual([{ facet: "publisher", value: "Collins", books: 2, total: 1 }]);
    const all = (await listFacets()).map(({ total, ...facet }) => facet as Record<string, unknown>);
    expect(all).toContainEqual({ facet: "subject", value: "Computer Science", books: 2 });
    expect(all).toContainEqual({ facet: "course", value: "Twi", books: 1 });
    const publishers = all.filter(({ facet }) => facet === "publisher").map(({ value }) => value);
    expect(publishers).toEqual(["CGP", "Collins", "Skoldo", "Sub-Saharan"]);
    expect(await listFacets("no such thing")).toEqual([]);
  });

  describe("with 2,760 more books", () => {
    beforeAll(async () => {
      await open().query(
        `insert into public.books (title, price)
         select (array['Alpha','alpha','Álpha','Beta','Ünter','zeta','Œuvre'])[1 + i % 7] || ' ' || i % 11, 45
           from generate_series(1, 200) i
         union all select 'Many volume ' || i, 45 from generate_series(1, 2500) i
         union all select 'Zz volume of the end ' || i, 45 from generate_series(1, 60) i`,
      );
    });
    afterAll(() =>
      open().query("delete from public.books where title ~ '^(Many|Zz) volume|^.{4,5} [0-9]+$'"),
    );

    // The shelf, what the next titles on it contain, what only its end contains, and what every title contains.
    test.for([{}, { q: "alpha" }, { q: "volume of the end" }, { q: "volume" }])(
      "paging by key forwards and backwards shows the same books as paging by number: %j",
      async (filters) => {
        const size = 72;
        const turn = (place: Arguments) =>
          call("search_books", { ...filters, ...place, page_size: size }, "id, title");
        const pages: { id: string; title: string }[][] = [];
        for (let page = 1; page <= 100; page++) {
          const books = await turn({ page: page });
          if (books.length === 0) break;
          pages.push(books);
        }
        const all = pages.flat();
        const [expected] = await open().query<{ ids: string[] }>(
          `select coalesce(array_agg(id order by title_key, id), '{}') as ids from (
           select id, title_key from public.books where search_text like '%' || private.search_key($1) || '%' order by title_key, id limit 7200
         ) as b`,
          [filters.q ?? ""],
        );
        expect(all.map(({ id }) => id)).toEqual(expected?.ids);

        const forwards = [...(pages[0] ?? [])];
        while (forwards.length < all.length) {
          const last = forwards.at(-1);
          const next = await turn({ after_title: last?.title, after_id: last?.id });
          if (next.length === 0) break;
          forwards.push(...next);
        }
        expect(forwards.slice(0, all.length)).toEqual(all);

        const backwards = [...(pages.at(-1) ?? [])];
        for (;;) {
          const first = backwards[0];
          const previous = await turn({ before_title: first?.title, before_id: first?.id });
          if (previous.length === 0) break;
          backwards.unshift(...previous);
        }
        expect(backwards).toEqual(all);
      },
    );
  });

  test("bounds page numbers and sizes", async () => {
    expect(await call("search_books", { page: 0, page_size: 3 }, "id")).toEqual(
      await call("search_books", { page_size: 3 }, "id"),
    );
    expect(await call("search_books", { page_size: -5 }, "id")).toHaveLength(1);
    expect(await call("search_books", { page: 2147483647, page_size: 1 }, "id")).toEqual(
      await call("search_books", { page: 100, page_size: 1 }, "id"),
    );
  });

  test("groups Cambridge's books into sections of at most eight, one book in several", async () => {
    const cambridge = { publisher: "Cambridge University Press", price: 45 };
    for (let i = 1; i <= 9; i++)
      await addBook(open(), { ...cambridge, title: `Primary ${i}`, grade_level: "cambridge PRIMARY 1" });
    await addBook(open(), { ...cambridge, title: "Key stage", grade_level: "KS2" });
    await addBook(open(), { ...cambridge, title: "Two courses", course: "IGCSE and AS & A-Level" });
    await addBook(open(), { ...cambridge, title: "A levels", grade_level: "AS and A Level" });
    await addBook(open(), { ...cambridge, title: "Neither", grade_level: "Teachers" });
    await addBook(open(), { ...cambridge, title: "Two fields", grade_level: "Grade A", course: "Level 2" });
    await addBook(open(), { title: "Other press", publisher: "Cambridge", grade_level: "IGCSE", price: 45 });
    const section = async (name: string) =>
      open().as(visitor, async (query) =>
        (
          await query("select title from public.list_publisher_books('Cambridge University Press', $1)", [
            name,
          ])
        ).map(({ title }) => title),
      );
    expect(await section("Primary")).toEqual([
      "Key stage",
      ...Array.from({ length: 7 }, (_, i) => `Primary ${i + 1}`),
    ]);
    expect(await section("Secondary/IGCSE")).toEqual(["Two courses"]);
    expect(await section("A Level")).toEqual(["A levels", "Two courses"]);
    expect(await section("Teachers")).toEqual([]);
  });

  test("has a version that changes with every visible change of books and ratings, and with nothing else", async () => {
    const version = async () =>
      (
        await open().as(visitor, (query) =>
          query<{ catalogue_version: number }>("select public.catalogue_version()"),
        )
      )[0] as { catalogue_version: number };
    const seen = [await version()];
    const book = await addBook(open(), { title: "Versioned" });
    const update = (change: string) =>
      open().query(`update public.books set ${change} where id = $1`, [book.id]);
    await update("stock_quantity = 50");
    seen.push(await version());
    for (const change of [
      "stock_quantity = 9",
      "stock_quantity = 8",
      "stock_quantity = 0",
      "stock_quantity = 10",
      "price = 11",
      "description = 'New'",
      "image_url = null, grade_level = 'JHS 1'",
    ]) {
      await update(change);
      seen.push(await version());
    }
    expect(new Set(seen.map(({ catalogue_version }) => catalogue_version)).size).toBe(9);
    // Ten copies or more look alike, so an order of one of thirty throws no page away.
    for (const change of ["stock_quantity = 30", "stock_quantity = 29", "price = 11"]) await update(change);
    expect(await version()).toEqual(seen[8]);
    await open().query("delete from public.books where id = $1", [book.id]);
    expect(await version()).not.toEqual(seen[8]);
  });
});
