import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { CARD_COLUMNS } from "#app/features/books/book-fields.ts";
import { priceSteps } from "#shared/owner/price-steps.ts";
import { fullOrQuick } from "./lengths.ts";
import { atMost, milliseconds, type Outcome, percentile } from "./report.ts";
import { schoolBooks } from "./school-books.ts";
import { type MixedSearch, searchMix } from "./search-mix.ts";

const RUNS = fullOrQuick(20, 2);
const PAGE_MS = 50;
const BROAD_MS = 500;
const WORTH_A_ROW_MS = 20;

/** Several calls of one kind; the budget is in milliseconds. */
type Measured = { name: string; calls: Call[]; budget: number };
type Call = { function: string; args: Record<string, unknown> };

const page = (search: Record<string, unknown> = {}): Call => ({
  function: "catalogue_page",
  args: { _columns: CARD_COLUMNS.split(","), _search: { page_size: 24, ...search } },
});
const count = (search: Record<string, unknown> = {}): Call => ({
  function: "catalogue_page",
  args: { _columns: CARD_COLUMNS.split(","), _search: { page_size: 0, ...search }, _with_total: true },
});
const facets = (q?: string): Call => ({ function: "list_book_facets", args: q ? { _q: q } : {} });
const choices = (search: Record<string, unknown> = {}): Call => ({
  function: "list_book_choices",
  args: { _price_steps: [...priceSteps], _search: search },
});

const filters: [string, Record<string, unknown>][] = [
  ["all books", {}],
  ["a large publisher", { publisher: "Collins" }],
  ["a small publisher", { publisher: "Mensah Publishing" }],
  ["a course", { course: "JHS" }],
  ["a subject", { subject: "Physics" }],
  ["a grade level", { grade_level: "SHS 2" }],
  ["a price range", { min_price: 50, max_price: 99.99 }],
  ["in stock", { in_stock: true }],
  [
    "publisher, grade, price and stock",
    { publisher: "Collins", grade_level: "SHS 2", min_price: 100, max_price: 199.99, in_stock: true },
  ],
];

/** What a visitor asks for: pages, then the searches of the mix, then counts and facets. */
async function measured(sql: postgres.Sql, books: number): Promise<Measured[]> {
  const mix = searchMix(schoolBooks());
  const [deep] = await sql<{ after_title: string; after_id: string }[]>`
    select title as after_title, id as after_id from public.books order by title_key, id offset ${Math.floor(books * 0.9)} limit 1`;
  const times = (call: Call): Call[] => Array.from({ length: RUNS }, () => call);
  const pages: Measured[] = filters.flatMap(([name, args]) => [
    { name: `page 1, ${name}`, calls: times(page(args)), budget: PAGE_MS },
    { name: `page 100, ${name}`, calls: times(page({ ...args, page: 100 })), budget: PAGE_MS },
  ]);
  const sorts: Measured[] = ["price", "price-desc", "newest", "rating"].flatMap((sort) =>
    filters.flatMap(([name, args]) => [
      { name: `by ${sort}, ${name}`, calls: times(page({ ...args, sort })), budget: PAGE_MS },
      {
        name: `by ${sort}, ${name}, page 100`,
        calls: times(page({ ...args, sort, page: 100 })),
        budget: PAGE_MS,
      },
    ]),
  );
  const kinds = (name: string, budget: number, call: (search: MixedSearch) => Call): Measured[] =>
    Object.entries({
      common: [0, 60],
      middling: [60, 90],
      rare: [90, 180],
      absent: [180, 210],
      isbn: [210, 250],
      pair: [250, 300],
    }).map(([kind, [from, below]]) => ({
      name: `${name}, ${kind}`,
      calls: mix.slice(from, below).map(call),
      budget,
    }));
  return [
    ...pages,
    { name: "by key, 90% of the way", calls: times(page({ ...deep })), budget: PAGE_MS },
    ...sorts,
    ...kinds("search", PAGE_MS, (search) => page(search)),
    ...kinds("search by best match", PAGE_MS, (search) => page({ ...search, sort: "best" })),
    ...kinds("search by best match, page 100", PAGE_MS, (search) =>
      page({ ...search, sort: "best", page: 100 }),
    ),
    ...kinds("search by price", PAGE_MS, (search) => page({ ...search, sort: "price" })),
    ...kinds("search_books", PAGE_MS, (search) => ({
      function: "search_books",
      args: { _search: search },
    })),
    ...filters.map(([name, args]) => ({
      name: `count, ${name}`,
      calls: times(count(args)).slice(0, 5),
      budget: BROAD_MS,
    })),
    ...kinds("count", BROAD_MS, (search) => count(search)),
    { name: "facets, all books", calls: times(facets()).slice(0, 5), budget: BROAD_MS },
    ...kinds("facets", BROAD_MS, ({ q }) => facets(q)),
    ...filters.map(([name, args]) => {
      const { min_price, max_price, ...others } = args;
      return { name: `choices, ${name}`, calls: times(choices(others)).slice(0, 5), budget: BROAD_MS };
    }),
    ...kinds("choices", BROAD_MS, ({ q, publisher }) => choices({ q, ...(publisher ? { publisher } : {}) })),
  ];
}

type Taken = { wall: number; processor: number; rows: number };

/** The number of books, facets, choices or matches in a response. */
function rowsOf(call: Call, response: readonly Record<string, unknown>[]): number {
  if (call.function !== "catalogue_page") return response.length;
  const found = response[0]?.catalogue_page as { books: unknown[]; total: number | null } | undefined;
  return found?.total ?? found?.books.length ?? 0;
}

/** Words that no title has, and page numbers after the end of a small selection. */
const mayBeEmpty = /absent|page 100|rare|isbn/;

/** One call's milliseconds, and of them the database's processor time, which other work on the machine does not lengthen. */
async function timed(sql: postgres.TransactionSql, pid: number, call: Call): Promise<Taken> {
  const argumentOf = (name: string, at: number) =>
    name === "_search" ? `jsonb_populate_record(null::public.book_search, $${at + 1}::jsonb)` : `$${at + 1}`;
  const named = Object.keys(call.args).map((name, at) => `${name} => ${argumentOf(name, at)}`);
  const text = `select * from public.${call.function}(${named.join(", ")})`;
  const processorBefore = await processorMilliseconds(pid);
  const startedAt = performance.now();
  const response = await sql.unsafe(text, Object.values(call.args) as never[]);
  const wall = performance.now() - startedAt;
  const processor = (await processorMilliseconds(pid)) - processorBefore;
  return { wall, processor, rows: rowsOf(call, response) };
}

const processorMilliseconds = async (pid: number) =>
  Number((await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ")[0]) / 1e6;

/**
 * The catalogue's functions as a visitor with policies in force, one call at a time on one connection; all are printed.
 * @returns the rows of what takes 20 ms or more at p95, how many others there are, and what each takes of its budget
 */
export async function measureCatalogue(
  sql: postgres.Sql,
  books: number,
  pattern = "",
): Promise<{ slower: string[][]; others: number; outcomes: Outcome[] }> {
  const slower: string[][] = [];
  const outcomes: Outcome[] = [];
  let others = 0;
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  for (const { name, calls, budget } of await measured(sql, books)) {
    if (!new RegExp(pattern).test(name)) continue;
    const taken: Taken[] = [];
    for (const call of calls)
      taken.push(
        (await sql.begin(async (visitor) => {
          await visitor.unsafe("set local role anon");
          return timed(visitor, backend?.pid ?? 0, call);
        })) as Taken,
      );
    const empty = taken.filter(({ rows }) => rows === 0).length;
    // With a price or publisher filter too, some searches find nothing.
    if (empty > taken.length / 2 && !mayBeEmpty.test(name))
      throw new Error(`${name}: ${empty} answers are empty`);
    const [processor, wall] = [taken.map((one) => one.processor), taken.map((one) => one.wall)];
    const p95 = percentile(processor, 0.95);
    const outcome = atMost(`Processor time of ${name}, p95`, p95, budget, milliseconds);
    outcomes.push(outcome);
    const row = [
      name,
      milliseconds(percentile(processor, 0.5)),
      milliseconds(p95),
      milliseconds(percentile(wall, 0.5)),
      milliseconds(percentile(wall, 0.95)),
      outcome.isMissed ? "no" : "yes",
    ];
    console.log(row.join(" | "));
    if (p95 >= WORTH_A_ROW_MS) slower.push(row);
    else others += 1;
  }
  return { slower, others, outcomes };
}
