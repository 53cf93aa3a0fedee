import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { searchWords } from "#shared/owner/search-words.ts";
import { searchCall } from "#tests/support/book-search.ts";
import { type Database, openDatabase, type Query } from "#tests/support/database.ts";
import { type Judged, rateSearches } from "#tests/support/search-quality.ts";
import { seedDemoCatalogue } from "../../supabase/seed/index.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { schoolBooks } from "./school-books.ts";

const PAGE = 24;
/** What the master search shows first. */
const FIRST = 8;
/** What most people look at. */
const FEW = 5;

/**
 * How well 232 queries of teachers and parents, tests/load/search-queries.json, find what they mean, in both orders: by
 * the search alone, and with the close matches that follow it where it finds little.
 */
export async function measureSearchQuality(): Promise<Section> {
  const section: Section = {
    title: "Search quality",
    about: "",
    header: [
      "Queries, order",
      "Found one in the first 8",
      "Recall in 5",
      "Recall in 8",
      "Recall in 24",
      "Mean reciprocal rank",
      "p50",
      "p95",
    ],
    rows: [],
  };
  const queries: Judged[] = JSON.parse(
    await readFile(join(import.meta.dirname, "search-queries.json"), "utf8"),
  );
  const database = await openDatabase();
  try {
    await fill(database);
    section.about =
      "The demo catalogue beside the stories and set texts of the 10,000 school books, whose course books would answer the queries as well; queries and the titles that should come first are in `tests/load/search-queries.json`. " +
      `Close matches follow, where the search finds 8 books or more only those that other words for the same thing find. Titles of one word are those that more than ${PAGE} books contain. Recall counts at most as many titles as there are places. Times are the database's, one query after another.`;
    const words = await titlesOfOneWord(database);
    for (const [sort, name] of orders) {
      const before: Shown[] = [];
      const after: Shown[] = [];
      await database.as({ role: "anon" }, async (query) => {
        for (const { q } of queries) {
          const found = await timed(() => search(query, q, sort));
          const near = await timed(() => closeMatches(query, q, found.value.length));
          before.push({ titles: found.value, ms: found.ms });
          after.push({ titles: [...found.value, ...near.value], ms: found.ms + near.ms });
        }
      });
      section.rows.push([`${queries.length} of teachers, ${name}`, ...figures(queries, before)]);
      section.rows.push([
        `${queries.length} of teachers, ${name}, with close matches`,
        ...figures(queries, after),
      ]);
    }
    for (const [sort, name] of orders) {
      const shown: Shown[] = [];
      await database.as({ role: "anon" }, async (query) => {
        for (const { q } of words) {
          const { value, ms } = await timed(() => search(query, q, sort));
          shown.push({ titles: value, ms });
        }
      });
      section.rows.push([`${words.length} titles of one word, ${name}`, ...figures(words, shown)]);
    }
    return section;
  } finally {
    await database.close();
  }
}

const orders = [
  ["title", "by title"],
  ["best", "best match first"],
] as const;

/** Titles such as 'Emma', of which the search finds more than a page: the book called so should come first. */
async function titlesOfOneWord(database: Database): Promise<Judged[]> {
  const titles = await database.query<{ title: string }>(
    `select title from (select distinct title from public.books where title ~ '^[A-Za-z]{4,}$') as word
      where (select count(*) from (select from public.books b
                                    where b.search_text like '%' || private.fold(word.title) || '%' limit $1) as found) = $1
      order by title`,
    [PAGE + 1],
  );
  return titles.map(({ title }) => ({ q: title.toLowerCase(), books: [title] }));
}

type Shown = { titles: string[]; ms: number };

function figures(queries: Judged[], shown: Shown[]): string[] {
  const { found, recall, meanReciprocalRank } = rateSearches(
    queries,
    shown.map(({ titles }) => titles),
    FIRST,
  );
  const times = shown.map(({ ms }) => ms);
  const percent = (share: number) => `${(share * 100).toFixed(0)}%`;
  return [
    ...[found, recall(FEW), recall(FIRST), recall(PAGE)].map(percent),
    meanReciprocalRank.toFixed(2),
    milliseconds(percentile(times, 0.5)),
    milliseconds(percentile(times, 0.95)),
  ];
}

async function search(query: Query, q: string, sort: string): Promise<string[]> {
  const rows = await query<{ title: string }>(`select title from ${searchCall("search_books")}`, [
    { q, sort, page_size: PAGE },
  ]);
  return rows.map(({ title }) => title);
}

async function closeMatches(query: Query, q: string, found: number): Promise<string[]> {
  const [row] = await query<{ found: { books: { title: string }[] } }>(
    `select ${searchCall("near_books", "$2")} as found`,
    [{ q, page_size: PAGE }, found],
  );
  return row?.found.books.map(({ title }) => title) ?? [];
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  return { value: await work(), ms: performance.now() - startedAt };
}

async function fill(database: Database): Promise<void> {
  await database.query("select private.set_search_words($1::jsonb)", [searchWords]);
  await seedDemoCatalogue((text, values) => database.query(text, values));
  await database.query(
    `insert into public.books (title, authors, isbn, price, stock_quantity)
     select left(book ->> 'title', 500), book ->> 'authors', book ->> 'isbn', 60, 5
       from jsonb_array_elements($1::jsonb) as book where book ->> 'title' <> ''`,
    [schoolBooks().filter(({ kind }) => kind !== "course book")],
  );
  await database.run("vacuum analyze public.books");
  await database.run("vacuum analyze private.book_words");
}
