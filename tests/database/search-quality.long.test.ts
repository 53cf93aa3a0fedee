import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { searchWords } from "#shared/owner/search-words.ts";
import { searchCall } from "#tests/support/book-search.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";
import { type Judged, rateSearches } from "#tests/support/search-quality.ts";
import { readDemoCatalogue } from "../../supabase/seed/demo-catalogue.ts";
import { seedDemoCatalogue } from "../../supabase/seed/index.ts";

const FIRST = 5;
const demoTitles = new Set(readDemoCatalogue().books.map(({ title }) => title));
/** The judged queries whose titles are all in the demo catalogue. */
const readJudged = (file: string): Judged[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, "../load", file), "utf8")) as Judged[]).filter(
    ({ books }) => books.every((title) => demoTitles.has(title)),
  );
const searches = readJudged("search-queries.json");
const suggestions = readJudged("suggestion-queries.json");
/** What parents and teachers type, and a pattern of the titles that they mean. */
const typed = JSON.parse(
  readFileSync(join(import.meta.dirname, "../load/typed-queries.json"), "utf8"),
) as (readonly [q: string, meant: string])[];
/** As many books as a search's page and the list of suggestions show first. */
const FIRST_SCREEN = 8;

describeDatabase("The demo catalogue", (open) => {
  beforeAll(async () => {
    await open().query("select private.set_search_words($1::jsonb)", [searchWords]);
    await seedDemoCatalogue((text, values) => open().query(text, values));
  });

  const closeMatches = new Map<string, string[]>();
  /** The titles in the order in which the shop shows them: the search's, and close matches where it finds little. */
  const search = (q: string, sort = "title") =>
    open().as(visitor, async (query) => {
      const found = await query<{ title: string }>(`select title from ${searchCall("search_books")}`, [
        { q, sort },
      ]);
      const titles = found.map(({ title }) => title);
      if (!closeMatches.has(q)) {
        const [near] = await query<{ close: { books: { title: string }[] } }>(
          `select ${searchCall("near_books", "$2")} as close`,
          [{ q }, found.length],
        );
        closeMatches.set(q, near?.close.books.map(({ title }) => title) ?? []);
      }
      return [...titles, ...(closeMatches.get(q) ?? [])];
    });
  /** The search's first books by best match, and the first close matches, to which a link beside the count leads. */
  const firstScreen = async (q: string) => [
    ...(await search(q, "best")).slice(0, FIRST_SCREEN),
    ...(closeMatches.get(q) ?? []).slice(0, FIRST_SCREEN),
  ];
  const suggest = (q: string) =>
    open().as(visitor, async (query) =>
      (await query<{ title: string }>("select title from public.suggest_books($1)", [q])).map(
        ({ title }) => title,
      ),
    );
  const rate = async (queries: Judged[], show: (q: string) => Promise<string[]>) => {
    const shown: string[][] = [];
    for (const { q } of queries) shown.push(await show(q));
    const { recall, meanReciprocalRank } = rateSearches(queries, shown, FIRST);
    const missed = queries.filter(
      ({ books }, at) => !shown[at]?.slice(0, FIRST).some((title) => books.includes(title)),
    );
    return { missed: missed.map(({ q }) => q), recall: recall(FIRST), meanReciprocalRank };
  };

  test("judged searches find the right titles among the first five, mostly first", async () => {
    expect(searches.length).toBeGreaterThan(200);
    const { missed, recall, meanReciprocalRank } = await rate(searches, search);
    expect(missed).toEqual([]);
    expect(recall).toBeGreaterThan(0.97);
    expect(meanReciprocalRank).toBeGreaterThan(0.99);
  });

  test("sorted by best match, judged searches find the same books, the right ones no later", async () => {
    const found = (sort: string) =>
      `array(select id from ${searchCall("search_books")} order by id)`.replace(
        "$1::jsonb",
        `jsonb_build_object('q', q, 'page_size', 1000, 'sort', '${sort}')`,
      );
    const differing = await open().as(visitor, (query) =>
      query(`select q from unnest($1::text[]) as q where ${found("title")} <> ${found("best")}`, [
        searches.map(({ q }) => q),
      ]),
    );
    expect(differing).toEqual([]);
    const { missed, recall, meanReciprocalRank } = await rate(searches, (q) => search(q, "best"));
    expect(missed).toEqual([]);
    expect(recall).toBeGreaterThan(0.97);
    expect(meanReciprocalRank).toBeGreaterThan(0.99);
  });

  test("suggestions know class names and correct typing errors, as searches do", async () => {
    const { missed, recall, meanReciprocalRank } = await rate(suggestions, suggest);
    expect(missed).toEqual([]);
    expect(recall).toBeGreaterThan(0.9);
    expect(meanReciprocalRank).toBeGreaterThan(0.95);
  });

  test("ninety texts of parents and teachers are answered by search and suggestions with what is meant", async () => {
    expect(typed).toHaveLength(90);
    const missed: string[] = [];
    for (const [q, meant] of typed)
      for (const [where, shown] of [
        ["search", await firstScreen(q)],
        ["suggestions", await suggest(q)],
      ] as const)
        if (!shown.some((title) => new RegExp(meant).test(title)))
          missed.push(`${where}: ${q}: ${shown.join()}`);
    expect(missed).toEqual([]);
  });

  test("every judged search that finds a book has suggestions", async () => {
    const without: string[] = [];
    for (const { q } of searches)
      if ((await search(q)).length > 0 && (await suggest(q)).length === 0) without.push(q);
    expect(without).toEqual([]);
  });

  // The means above forgive a wrong title in a high position; these queries had one.
  test.each<[q: string, positions: number, what: string, queries: Judged[], show: typeof search]>([
    ["class 3 english", 2, "results", searches, search],
    ["story books", 2, "results", searches, search],
    ["nursery 2", 1, "results", searches, search],
    ["jhs 2", 1, "suggestions", suggestions, suggest],
    ["grade 4", 1, "suggestions", suggestions, suggest],
  ])("'%s' shows only what is meant in the first %i of its %s", async (q, positions, _, queries, show) => {
    const right = queries.find((judged) => judged.q === q)?.books ?? [];
    const first = (await show(q)).slice(0, positions);
    expect(first).toHaveLength(positions);
    expect(first.filter((title) => !right.includes(title))).toEqual([]);
  });
});
