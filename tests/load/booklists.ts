import { loadavg } from "node:os";
import { booklistAddress } from "#app/features/booklists/booklist-code.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { importBooklists } from "#app/office/schools/booklists/import/list-import.admin-queries.ts";
import { inBatches } from "#app/office/schools/booklists/import/list-plan.ts";
import {
  type EmbeddedShop,
  newDataDir,
  openEmbeddedShop,
  removeFolder,
} from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { fullOrQuick } from "./lengths.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { schoolBooks } from "./school-books.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const LISTS = 1_000;
const LINES = 30;
const RUNS = fullOrQuick(300, 20);

/** A class's list beside `/shop`, in a shop with many of them. */
export async function measureBooklists(): Promise<Section> {
  const section: Section = {
    title: "Booklists",
    about: "",
    header: ["", "p50", "p95", "Ratio to `/shop`, p50", "HTML, uncompressed"],
    rows: [],
  };
  const dataDir = await newDataDir();
  const filled = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const took = await fill(filled).finally(filled.stop);
  const { addresses } = took;
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  try {
    const pair = async (
      name: string,
      shopPath: (n: number) => string,
      listPath: (n: number) => string,
      rendered: [atLeast: number, atMost: number],
    ) => {
      const before = await readCounts(shop.url);
      const times = { shop: [] as number[], list: [] as number[] };
      const bytes = { shop: 0, list: 0 };
      const lines = new Set<number>();
      // In turns, so that other work on the machine slows both down.
      for (let n = 0; n < RUNS; n += 1)
        for (const [what, path] of [
          ["shop", shopPath(n)],
          ["list", listPath(n)],
        ] as const) {
          const startedAt = performance.now();
          const response = await fetch(shop.url + path);
          const body = await response.arrayBuffer();
          bytes[what] = body.byteLength;
          times[what].push(performance.now() - startedAt);
          if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
          if (what === "list")
            lines.add(new TextDecoder().decode(body).match(/type="checkbox"/g)?.length ?? 0);
        }
      const counted = countsSince(before, await readCounts(shop.url));
      expectWork(`pages rendered, ${name}`, counted.rendered, ...rendered);
      for (const shown of lines) expectWork(`lines of a list, ${name}`, shown, LINES);
      const floor = percentile(times.shop, 0.5);
      for (const [what, label] of [
        ["shop", "`/shop`"],
        ["list", "a list of 30 lines"],
      ] as const)
        section.rows.push([
          `${label}, ${name}`,
          milliseconds(percentile(times[what], 0.5)),
          milliseconds(percentile(times[what], 0.95)),
          (percentile(times[what], 0.5) / floor).toFixed(2),
          `${(bytes[what] / 1000).toFixed(0)} kB`,
        ]);
    };
    await fetch(shop.url + addresses[0]);
    // What is not one of the page's parameters makes it another page, rendered anew.
    await pair(
      "not cached",
      (n) => `/shop?run=${n}`,
      (n) => `${addresses[n + 1]}`,
      [2 * RUNS, 2 * RUNS],
    );
    await pair(
      "cached",
      () => "/shop",
      () => `${addresses[0]}`,
      // A cached page is rendered again after 30 s.
      [1, 10],
    );
    const [load = 0] = loadavg();
    section.about = `${LISTS.toLocaleString("en-GB")} lists of ${LINES} lines and 10,000 school books, embedded backend; ${RUNS} requests of each over HTTP, one after the other, in turns. The lists came from one file in ${took.checked.toFixed(1)} s for the check and ${took.saved.toFixed(1)} s for the import. Load average ${load.toFixed(1)} on this machine.`;
    return section;
  } finally {
    await shop.stop();
    await removeFolder(dataDir);
  }
}

/** Brings in books and lists as an owner does. @returns seconds, and the addresses of some lists */
async function fill(shop: EmbeddedShop): Promise<{ checked: number; saved: number; addresses: string[] }> {
  await importSchoolBooks(shop);
  const books = schoolBooks().filter(({ isbn }) => isbn !== "");
  const lists = Array.from({ length: LISTS }, (_, n) => ({
    school: `School ${Math.floor(n / 10)}`,
    class_name: `Class ${n % 10}`,
    school_year: "2026/2027",
    updated_at: null,
    lines: Array.from({ length: LINES }, (_, line) => ({
      line,
      copies: 1,
      is_required: true,
      note: null,
      title: null,
      isbn: books[(n * LINES + line * 7) % books.length]?.isbn ?? null,
    })),
  }));
  const run = async (dryRun: boolean) => {
    const startedAt = performance.now();
    for (const batch of inBatches(lists)) {
      const client = shop.owner as unknown as BackendClient;
      const refused = (await importBooklists(client, batch, { dryRun, publish: true })).find(
        ({ action }) => action !== "add",
      );
      if (refused) throw new Error(`A list is ${refused.action}: ${JSON.stringify(refused.problems)}`);
    }
    return (performance.now() - startedAt) / 1000;
  };
  const seconds = { checked: await run(true), saved: await run(false) };
  for (const [table, expected] of [
    ["booklists", LISTS],
    ["booklist_lines", LISTS * LINES],
  ] as const) {
    const { count } = await shop.owner.from(table).select("*", { count: "exact", head: true });
    expectWork(table, count ?? 0, expected);
  }
  const { data, error } = await shop.owner
    .from("booklists")
    .select("code")
    .order("id")
    .limit(RUNS + 1);
  if (error) throw error;
  return { ...seconds, addresses: data.map(({ code }) => booklistAddress(code)) };
}
