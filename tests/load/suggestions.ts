import { loadavg } from "node:os";
import { suggestionsPath } from "#app/features/suggestions/suggestion.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { fullOrQuick } from "./lengths.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { schoolBooks } from "./school-books.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const RUNS = fullOrQuick(300, 20);
/** How many of the texts must have suggestions, at least and at most: none for the floor, most for texts from titles. */
const NONE: [number, number] = [0, 0];
const MOST: [number, number] = [RUNS / 2, RUNS];

/** What visitors type of titles: their first letters, or letters of two of their words. */
function typedTexts(length: number): string[] {
  const titles = schoolBooks()
    .slice(0, RUNS)
    .map(({ title }) => title);
  return titles.map((title, n) => {
    const words = title.split(" ");
    const [first = "", second = first] = n % 3 === 0 ? words.toReversed() : words;
    return n % 2 === 0 ? title.slice(0, length) : `${first} ${second}`.slice(0, length);
  });
}

/** The search box's suggestions over HTTP, beside an address that asks the database nothing. */
export async function measureSuggestions(): Promise<Section> {
  const section: Section = {
    title: "Suggestions while typing",
    about: "",
    header: ["", "p50", "p95", "Ratio to the floor, p50", "Largest response, uncompressed"],
    rows: [],
  };
  const dataDir = await newDataDir();
  const filled = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importSchoolBooks(filled).finally(filled.stop);
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  try {
    const books = schoolBooks().filter(({ isbn }) => isbn !== "");
    const isbns = books.slice(0, RUNS).map(({ isbn }) => isbn.slice(0, 10));
    const kinds: [string, string[]][] = [
      ["floor: an empty text", Array.from({ length: RUNS }, (_, n) => `/suggestions?q=&run=${n}`)],
      ...[2, 4, 10].map((length): [string, string[]] => [`${length} characters`, []]),
      ["an ISBN's first 10 digits", isbns.map(pathOf)],
    ];
    for (const [at, length] of [2, 4, 10].entries())
      kinds[at + 1]?.[1].push(...typedTexts(length).map(pathOf));
    const results = kinds.map(() => ({ times: [] as number[], bytes: 0, found: 0 }));
    await fetch(`${shop.url}/suggestions?q=warm`);
    const before = await readCounts(shop.url);
    // In turns, so that other load on the machine affects all of them equally.
    for (let n = 0; n < RUNS; n += 1)
      for (const [index, [, paths]] of kinds.entries()) {
        const result = results[index];
        if (!result) continue;
        const startedAt = performance.now();
        const response = await fetch(`${shop.url}${paths[n]}`);
        const body = await response.arrayBuffer();
        result.times.push(performance.now() - startedAt);
        result.bytes = Math.max(result.bytes, body.byteLength);
        // An empty list has two characters.
        if (body.byteLength > 2) result.found += 1;
        if (response.status !== 200) throw new Error(`${paths[n]} responded with ${response.status}`);
      }
    const counted = countsSince(before, await readCounts(shop.url));
    expectWork("suggestions rendered", counted.rendered, RUNS * kinds.length);
    for (const [index, [name]] of kinds.entries())
      expectWork(
        `${name}, texts with suggestions`,
        results[index]?.found ?? 0,
        ...(index === 0 ? NONE : MOST),
      );
    const floor = percentile(results[0]?.times ?? [], 0.5);
    for (const [index, [name]] of kinds.entries()) {
      const { times = [], bytes = 0 } = results[index] ?? {};
      section.rows.push([
        name,
        ...[0.5, 0.95].map((share) => milliseconds(percentile(times, share))),
        (percentile(times, 0.5) / floor).toFixed(1),
        `${bytes} bytes`,
      ]);
    }
    section.about = `10,000 school books, embedded backend with policies in force; ${RUNS} texts of each kind over HTTP, one after the other, in turns, none requested before with the same URL. The floor is the same route with an empty text, which sends the database no query. Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine.`;
    return section;
  } finally {
    await shop.stop();
    await removeFolder(dataDir);
  }
}

/** Each run has its own URL, so that no response comes from a cache. */
let requests = 0;
const pathOf = (typed: string) => `${suggestionsPath(typed) ?? "/suggestions?q="}&run=${++requests}`;
