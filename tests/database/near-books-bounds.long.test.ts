import { beforeAll, expect, test } from "vitest";
import { searchWords } from "#shared/owner/search-words.ts";
import { searchCall } from "#tests/support/book-search.ts";
import type { Query } from "#tests/support/database.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";

const BOOKS = 40_000;
/** The two times 20,000 books that near_books may read (decision 39), and its samples. */
const MAX_ROWS = 45_000;

describeDatabase("With many books that share their words", (open) => {
  beforeAll(async () => {
    await open().query("select private.set_search_words($1::jsonb)", [searchWords]);
    const [indexes] = await open().query<{ definitions: string }>(
      `select string_agg(pg_get_indexdef(name::regclass), ';') as definitions
         from unnest('{public.books_search,public.books_words}'::text[]) as name`,
    );
    // Both indexes are built in one go.
    await open().run(`
      alter table public.books disable trigger user;
      drop index public.books_search, public.books_words;
      insert into public.books (title, authors, publisher, subject, grade_level, description, price)
      select 'Mathematics + Numbers ' || i, 'Kwame ' || substr('abcdefghij', i % 10 + 1, 1) || 'ofori', 'Cambridge', '数学',
             'Primary ' || i % 6 + 1, repeat('-', 300), 45
        from generate_series(1, ${BOOKS}) i;
      ${indexes?.definitions};
      alter table public.books enable trigger user;
      select private.keep_book_words(array(select word_text from public.books limit 100));
      analyze public.books;`);
  }, 240_000);

  const rowsRead = async (query: Query) => {
    const [row] = await query<{ rows: number }>(
      `select pg_stat_get_xact_tuples_returned(id) + pg_stat_get_xact_tuples_fetched(id) as rows
         from (select 'public.books'::regclass::oid as id) as books`,
    );
    return row?.rows ?? Number.NaN;
  };
  /** What a visitor finds, and how many rows were read for it. */
  const bounded = (sql: string, values: unknown[]) =>
    open().as(visitor, async (query) => {
      const before = await rowsRead(query);
      const rows = await query<{ found: { books?: object[]; meant: string | null } }>(sql, values);
      return { found: rows[0]?.found, rows: (await rowsRead(query)) - before };
    });

  test.each([
    ["matematics", 24, "mathematics"],
    ["kwane mathematics", 24, "kwame mathematics"],
    // Parts of a word of every book, and none itself.
    ["matics", 0, null],
    ["themat hemati", 0, null],
    ["+ + + + + + + + + + + +", 24, null],
    ["++ ++", 0, null],
    ["数学 学数", 24, null],
    ["学数", 0, null],
    ["maths numeracy primary class basic kwame cambridge stage", 24, null],
    ["mathematics numbers kwame cambridge primary 1 2 3 4 5 6", 5, null],
    ["zzzz yyyy xxxx wwww vvvv uuuu tttt ssss rrrr qqqq pppp oooo", 0, null],
    ["mathematics zzzz", 24, null],
  ])("close matches for '%s' read a bounded number of books", async (q, books, meant) => {
    const { found, rows } = await bounded(`select ${searchCall("near_books")} as found`, [{ q }]);
    expect({ books: found?.books?.length, meant: found?.meant }).toEqual({ books, meant });
    expect(rows).toBeLessThan(MAX_ROWS);
  });

  test("other words of a text that finds enough read a bounded number of books", async () => {
    const { found, rows } = await bounded(`select ${searchCall("near_books", "8")} as found`, [
      { q: "maths" },
    ]);
    expect({ books: found?.books?.length, meant: found?.meant }).toEqual({ books: 8, meant: null });
    expect(rows).toBeLessThan(MAX_ROWS);
  });

  test("a text of every book, best match first, shows each book once and reads a bounded number of books", async () => {
    const ids: string[] = [];
    for (const page of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { found, rows } = await bounded(`select ${searchCall("catalogue_page", "'{id}'")} as found`, [
        { q: "numbers", sort: "best", page, page_size: 1000 },
      ]);
      ids.push(...((found?.books ?? []) as { id: string }[]).map(({ id }) => id));
      expect(rows).toBeLessThan(MAX_ROWS);
    }
    expect(new Set(ids).size).toBe(8_000);
  });

  test.each([{ publisher: "Cambridge", grade_level: "Primary 7" }, { min_price: 46 }, { in_stock: true }])(
    "a filter that no book passes (%o) does not make it read all of them",
    async (filters) => {
      const { found, rows } = await bounded(`select ${searchCall("near_books")} as found`, [
        { q: "matematics numbers 17", ...filters },
      ]);
      expect(found?.books).toEqual([]);
      expect(rows).toBeLessThan(MAX_ROWS);
    },
  );

  test.each(["ma", "kw", "bridge", "matics", "数学", "+ +", "mathematics primary kwame c"])(
    "suggestions for '%s' read few books",
    async (q) => {
      const { rows } = await bounded("select count(*) as found from public.suggest_books($1)", [q]);
      expect(rows).toBeLessThan(500);
    },
  );

  // Beside the suggestions, a sample of 100 blocks each for the typed words that books have and for the corrections.
  test.each([
    "matematics",
    "mathematics kwane",
    "mathematics primary kwame zzzz",
    "mathematics numbers kwame cambridge primary zzzz yyyy",
    "mathematicsnumbers",
    "zzzz yyyy xxxx",
  ])("suggestions for the mistyped '%s' read few books", async (q) => {
    const { rows } = await bounded("select count(*) as found from public.suggest_books($1)", [q]);
    expect(rows).toBeLessThan(2_500);
  });
});
