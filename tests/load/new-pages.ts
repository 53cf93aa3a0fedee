import { randomUUID } from "node:crypto";
import { bookPath } from "#app/features/books/book-address.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import { fetchCompressed, openBareServer } from "./bare-server.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { loadPages, nextClient, type PageRate } from "./page-load.ts";
import { type ProcessorTime, processorTime } from "./processes.ts";
import { atMost, inHundredths, milliseconds, percentile, type Section, spread } from "./report.ts";
import { connectTo } from "./running-shop.ts";
import { benchPublishers, courses, schoolBooks } from "./school-books.ts";
import { absentText, searchMix } from "./search-mix.ts";

const CONNECTIONS = 10;
const SECONDS = secondsOr(4);
const TURNS = turnsOr(3);
/** How many pages of each kind have their content checked afterwards. */
const SAMPLES = 20;

/** What a response without a page of its own may take of a new page's processor time. */
const SHARE_OF_PAGE = 0.1;

type Kind = {
  name: string;
  path: () => string;
  /** How many books its pages show; not set where none is a page of books. */
  books?: [fewest: number, most: number];
  status?: "3xx" | "4xx";
};
type Turn = { floor: PageRate; page: PageRate; spent: ProcessorTime };

/** Uncached pages: read from the database, rendered and compressed for each request. */
export async function measureNewPages(): Promise<Section> {
  const section: Section = {
    title: "New pages a second",
    about: "",
    header: [
      "Page",
      "Pages/s",
      "Ratio to floor",
      "p50",
      "p99",
      "Node, ms each",
      "PostgreSQL, ms each",
      "Floor/s",
    ],
    rows: [],
  };
  const dataDir = await newDataDir();
  const filled = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importSchoolBooks(filled).finally(filled.stop);
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const floor = await openBareServer(await fetchCompressed(`${shop.url}/shop`));
  const loadFloor = (seconds: number) =>
    loadPages({ url: floor.url, path: "/", connections: CONNECTIONS, seconds });
  try {
    await loadFloor(1);
    const kinds = await newPages(dataDir);
    const nodeOf = new Map<Kind, number>();
    for (const kind of kinds) {
      const opened: string[] = [];
      const path = () => {
        opened.push(kind.path());
        return opened.at(-1) ?? "";
      };
      const { status, books } = kind;
      const load = {
        connections: CONNECTIONS,
        url: shop.url,
        path,
        status,
        ...(books && { work: "rendered" as const }),
      };
      // The first row is what others are shares of: by then Node has compiled what it runs often.
      await loadPages({ ...load, seconds: kind === kinds[0] ? 2 * SECONDS : 1 });
      const turns: Turn[] = [];
      for (let turn = 0; turn < TURNS; turn += 1)
        turns.push({
          floor: await loadFloor(SECONDS),
          ...(await measured(shop, () => loadPages({ ...load, seconds: SECONDS }))),
        });
      if (books) await checkContent(shop.url, { name: kind.name, books }, opened);
      section.rows.push(row(kind.name, turns));
      nodeOf.set(
        kind,
        percentile(
          turns.map(({ spent }) => spent.node),
          0.5,
        ),
      );
      console.log(section.rows.at(-1)?.join(" | "));
    }
    const [page = Number.NaN] = nodeOf.values();
    section.outcomes = kinds
      .filter(({ status }) => status)
      .map((kind) =>
        atMost(
          `Processor time of ${kind.name}, as a share of a new page's`,
          (nodeOf.get(kind) ?? Number.NaN) / page,
          SHARE_OF_PAGE,
          inHundredths,
        ),
      );
    section.about = `10,000 school books, embedded backend, ${CONNECTIONS} connections, brotli; every request has an address of its own, on every connection and in every turn, and comes from a visitor of its own; median of ${TURNS} turns of ${SECONDS} s (lowest and highest in brackets). The shop's own count of rendered pages must be the number of pages sent, and ${SAMPLES} pages of each kind must show the books that the row names, close matches not counted, or the measurement fails. The floor is a bare Node server, on a thread of its own, that sends the bytes of \`/shop\` from memory, in the same turn; the load generator (autocannon, on the same cores) reaches no higher rate than that. Processor time is that of all the shop's processes. Pages that are not found and redirects may take ${SHARE_OF_PAGE} of the first row's Node time.`;
    return section;
  } finally {
    floor.stop();
    await shop.stop();
    await removeFolder(dataDir);
  }
}

/** Returns each value once. @throws Error when there are no more, because a page opened twice is cached. */
function each(values: string[]): () => string {
  let next = 0;
  return () => {
    const value = values[next];
    next += 1;
    if (value === undefined) throw new Error(`All ${values.length} addresses have been used`);
    return value;
  };
}

/** Endlessly many. */
function numbered(pathOf: (number: number) => string): () => string {
  let next = 0;
  return () => {
    next += 1;
    return pathOf(next);
  };
}

async function newPages(dataDir: string): Promise<Kind[]> {
  const sql = await connectTo(dataDir, 1);
  const books = await sql<{ id: string; title: string }[]>`
    select id, title from public.books order by title_key, id`;
  await sql.end();
  // Behind a book of the first nine tenths, each publisher has 24 more.
  const cursors = books
    .slice(0, 9_000)
    .map(({ id, title }) => encodeURIComponent(`${id}~${title.toLowerCase()}`));
  const lists = benchPublishers.flatMap((publisher) =>
    cursors.map((after) => `/shop?publisher=${encodeURIComponent(publisher)}&after=${after}`),
  );
  const mix = searchMix(schoolBooks());
  const searches = ["", "best", "price", "price-desc", "newest", "rating"].flatMap((sort) =>
    ["", ...courses].flatMap((course) =>
      mix.map(({ q, publisher }) => {
        const query = new URLSearchParams({ q, ...(publisher ? { publisher } : {}) });
        if (course) query.set("course", course);
        if (sort) query.set("sort", sort);
        return `/shop?${query}`;
      }),
    ),
  );
  const absent = Array.from({ length: 50_000 }, (_, at) => `/shop?q=${absentText(at)}`);
  return [
    { name: "`/shop`, 24 books", path: each(lists), books: [24, 24] },
    { name: "`/shop?q=…`, the mix of searches", path: each([...new Set(searches)]), books: [0, 24] },
    { name: "`/shop?q=…`, a search that finds nothing", path: each(absent), books: [0, 0] },
    { name: "a book's page", path: each(books.map(bookPath)), books: [0, 24] },
    { name: "an address without a page", path: numbered((at) => `/no-such-page-${at}`), status: "4xx" },
    { name: "a book that does not exist", path: numbered(() => `/books/${randomUUID()}`), status: "4xx" },
    {
      name: "a redirect from a book's former address",
      path: numbered((at) => `/books/${books[at % books.length]?.id}/former-title-${at}`),
      status: "3xx",
    },
  ];
}

async function measured(
  shop: ShopServer,
  work: () => Promise<PageRate>,
): Promise<{ page: PageRate; spent: ProcessorTime }> {
  const family = () => familyOf(shop.process.pid ?? 0);
  const before = await processorTime(await family());
  const page = await work();
  const after = await processorTime(await family());
  const perPage = (kind: keyof ProcessorTime) => (after[kind] - before[kind]) / page.total;
  return { page, spent: { node: perPage("node"), postgres: perPage("postgres") } };
}

/** @throws Error unless the opened pages show as many books as their row states */
async function checkContent(
  url: string,
  { name, books: [fewest, most] }: Required<Pick<Kind, "name" | "books">>,
  opened: string[],
) {
  for (let at = 0; at < SAMPLES; at += 1) {
    const path = opened[Math.floor((at * opened.length) / SAMPLES)] ?? "";
    const headers = { connection: "close", "x-forwarded-for": nextClient() };
    const response = await fetch(url + path, { headers });
    const html = await response.text();
    if (!response.ok) throw new Error(`${name}: ${path} responded with ${response.status}`);
    const [result = ""] = html.split('<section aria-label="Close matches"');
    const shown = result.match(/<article/g)?.length ?? 0;
    if (shown < fewest || shown > most) throw new Error(`${name}: ${path} shows ${shown} books`);
  }
}

function row(name: string, turns: Turn[]): string[] {
  const median = (pick: (turn: Turn) => number) => percentile(turns.map(pick), 0.5);
  return [
    name,
    spread(
      turns.map(({ page }) => page.perSecond),
      0,
    ),
    median(({ page, floor }) => page.perSecond / floor.perSecond).toFixed(4),
    milliseconds(median(({ page }) => page.p50)),
    milliseconds(median(({ page }) => page.p99)),
    median(({ spent }) => spent.node).toFixed(1),
    median(({ spent }) => spent.postgres).toFixed(1),
    median(({ floor }) => floor.perSecond).toFixed(0),
  ];
}
