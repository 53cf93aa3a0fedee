import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { csvLine } from "#app/lib/csv.ts";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { connectAsOwner } from "../../scripts/owner-client.ts";
import { fullOrQuick } from "./lengths.ts";
import { type GeneratedBook, generateBooks } from "./million-books.ts";
import { connectToShop } from "./million-shop.ts";
import { familyOf, processorTime } from "./processes.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { schoolBooks } from "./school-books.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const ROWS = Number(process.env.BENCH_IMPORT_ROWS ?? fullOrQuick(1_000_000, 20_000));
const IDLE_SECONDS = fullOrQuick(30, 2);

const columns: (keyof GeneratedBook)[] =
  "isbn,title,authors,publisher,description,price,stock_quantity,course,subject,grade_level".split(
    ",",
  ) as never;

/** A file of generated books through the command, while a visitor opens new pages and orders come in. */
export async function measureImport(): Promise<Section> {
  const count = ROWS.toLocaleString("en-GB");
  const section: Section = {
    title: `An import of ${count} rows while the shop is open`,
    about: "",
    header: ["", "Idle, 10,000 books", "Reading and checking", "Applying"],
    rows: [],
  };
  const dataDir = await newDataDir();
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const owner = await connectAsOwner({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const sql = await connectToShop(dataDir);
  try {
    const existing = await writeFile(join(dataDir, "known.csv"), 10_000);
    await runCommand(existing, dataDir).ended;
    const knownBooks = await countBooks(sql);
    const file = await writeFile(join(dataDir, "books.csv"), ROWS);

    const counts = await readCounts(shop.url);
    const idle = await whileOpen(shop.url, owner.client, sleep(IDLE_SECONDS * 1_000));
    const startedAt = performance.now();
    const before = await processorTime(await familyOf(shop.process.pid ?? 0));
    const command = runCommand(file, dataDir);
    const peaks = watchPeaks(sql, shop.process.pid ?? 0, command.pid);
    const begun = isApplying(sql);
    const staging = await whileOpen(shop.url, owner.client, Promise.race([begun, command.ended]));
    const appliedFrom = performance.now();
    const applying = await whileOpen(shop.url, owner.client, command.ended);
    const minutes = (since: number) => `${((performance.now() - since) / 60_000).toFixed(1)} minutes`;
    const [total, ofApplying] = [minutes(startedAt), minutes(appliedFrom)];
    const spent = await processorTime(await familyOf(shop.process.pid ?? 0));
    const peak = await peaks.stop();
    const books = await countBooks(sql);
    const { added, others } = readOutcome(command.said());
    expectWork("rows of the file", added + others, ROWS);
    expectWork("books after the import", books, knownBooks + added);
    const all = [idle, staging, applying];
    const visited = all.reduce((sum, { pages, failed }) => sum + pages.length + failed, 0);
    const placed = all.reduce((sum, { orders }) => sum + orders.length, 0);
    const counted = countsSince(counts, await readCounts(shop.url));
    const [orders] = await sql<{ count: number }[]>`select count(*)::int as count from public.orders`;
    expectWork("new pages during the import", counted.rendered, visited - sumOfFailed(all), visited);
    expectWork("orders during the import", orders?.count ?? 0, placed);
    section.rows = [
      ["a new page of /shop, p50", ...all.map(({ pages }) => milliseconds(percentile(pages, 0.5)))],
      ["a new page of /shop, p99", ...all.map(({ pages }) => milliseconds(percentile(pages, 0.99)))],
      ["an order of two books, p50", ...all.map(({ orders }) => milliseconds(percentile(orders, 0.5)))],
      ["an order of two books, p99", ...all.map(({ orders }) => milliseconds(percentile(orders, 0.99)))],
      ["pages and orders refused or failed", ...all.map(({ failed }) => String(failed))],
    ];
    section.about = `\`npm run import-books\` with a file of ${count} rows made of the school books' words, into a shop with 10,000 books: ${total}, of them ${ofApplying} applying; ${books.toLocaleString("en-GB")} books afterwards. The command said: ${command.said().trim().split("\n").at(-1)} Highest memory (RSS): command ${megabytes(peak.command)}, web process and backend together ${megabytes(peak.node)}, the database's largest process ${megabytes(peak.postgres)}; temporary files ${megabytes(peak.temporary)} in all. Processor time of the database ${((spent.postgres - before.postgres) / 60_000).toFixed(1)} minutes. One visitor opens a page of /shop that is not kept and orders two books twice a second. Load average ${loadavg()[0]?.toFixed(1)} on this machine.`;
  } finally {
    await sql.end();
    await owner.close();
    await shop.stop();
    await removeFolder(dataDir);
  }
  return section;
}

async function countBooks(sql: Awaited<ReturnType<typeof connectToShop>>): Promise<number> {
  const [books] = await sql<{ count: number }[]>`select count(*)::int as count from public.books`;
  return books?.count ?? 0;
}

/** The counts in the command's last line: books added, and rows that updated one, changed nothing or were skipped. */
function readOutcome(said: string): { added: number; others: number } {
  const pattern = /([\d,]+) books? added, ([\d,]+) updated, ([\d,]+) unchanged(?:, ([\d,]+) rows? left out)?/;
  const [added = 0, ...others] = (pattern.exec(said) ?? [])
    .slice(1)
    .map((text) => Number((text ?? "0").replaceAll(",", "")));
  return { added, others: others.reduce((sum, each) => sum + each, 0) };
}

async function writeFile(path: string, count: number): Promise<string> {
  function* lines() {
    yield csvLine(columns);
    for (const book of generateBooks(count, schoolBooks())) yield csvLine(columns.map((name) => book[name]));
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

/** As the owner runs it; rows that share an ISBN with others are left out. */
function runCommand(file: string, dataDir: string) {
  const script = join(import.meta.dirname, "../../scripts/import-books.ts");
  const child = spawn(process.execPath, [script, file, "--skip-refused"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, SHOP_DEMO: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (piece) => {
    said += piece;
  });
  child.stderr.on("data", (piece) => process.stdout.write(piece));
  const ended = new Promise<void>((resolve, reject) =>
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`The import ended with ${code}: ${said}`)),
    ),
  );
  return { pid: child.pid ?? 0, ended, said: () => said };
}

async function isApplying(sql: Awaited<ReturnType<typeof connectToShop>>): Promise<void> {
  for (;;) {
    const applying = await sql`select from public.book_imports where status = 'applying'`;
    if (applying.length > 0) return;
    await sleep(1_000);
  }
}

type Waits = { pages: number[]; orders: number[]; failed: number };

/** A visitor's and a customer's waiting times until something has ended. */
async function whileOpen(url: string, owner: BackendClient, end: Promise<unknown>): Promise<Waits> {
  const waits: Waits = { pages: [], orders: [], failed: 0 };
  let open = true;
  const close = () => {
    open = false;
  };
  end.then(close, close);
  const visit = async () => {
    const path = `/shop?min=${20 + Math.floor(Math.random() * 100_000) / 100}`;
    const from = performance.now();
    const page = await fetch(url + path, { headers: { "x-forwarded-for": somewhere() } }).catch(() => null);
    const text = await page?.text().catch(() => null);
    if (page?.ok && text) waits.pages.push(performance.now() - from);
    else waits.failed += 1;
  };
  const orderBooks = async () => {
    const { data } = await owner
      .from("books")
      .select("id, price")
      .gt("id", randomUUID())
      .gt("stock_quantity", 1)
      .order("id")
      .limit(2);
    if (!data?.length) return;
    const from = performance.now();
    const { error } = await owner.rpc("place_order_for", {
      _order_id: randomUUID(),
      _customer_id: null as never,
      _book_ids: data.map(({ id }) => id),
      _quantities: data.map(() => 1),
      _total: Number(data.reduce((sum, { price }) => sum + price, 0).toFixed(2)),
      _order: { shipping_address: "5 Castle Road", recipient_name: "Ama", recipient_phone: "024 412 3456" },
    });
    if (!error) waits.orders.push(performance.now() - from);
    else {
      waits.failed += 1;
      console.log(`An order was refused: ${error.message}`);
    }
  };
  while (open) {
    await visit();
    await orderBooks();
    await sleep(500);
  }
  await end;
  return waits;
}

const sumOfFailed = (all: Waits[]) => all.reduce((sum, { failed }) => sum + failed, 0);

const somewhere = () => `2001:db8:${Math.floor(Math.random() * 60_000).toString(16)}::1`;

type Peak = { command: number; node: number; postgres: number; temporary: number };

/** The most memory in bytes that the processes have had, looked at once a second. */
function watchPeaks(sql: Awaited<ReturnType<typeof connectToShop>>, shop: number, command: number) {
  const peak: Peak = { command: 0, node: 0, postgres: 0, temporary: 0 };
  const look = async () => {
    const pids = await familyOf(shop);
    const all = await Promise.all(pids.map(residentSize));
    const nodes = all.filter(({ name }) => !name.startsWith("postgres"));
    peak.node = Math.max(
      peak.node,
      nodes.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const largest = all.filter(({ name }) => name.startsWith("postgres")).map(({ bytes }) => bytes);
    peak.postgres = Math.max(peak.postgres, ...largest);
    peak.command = Math.max(peak.command, (await residentSize(command)).bytes);
  };
  const timer = setInterval(() => void look(), 1_000);
  return {
    stop: async (): Promise<Peak> => {
      clearInterval(timer);
      const [found] = await sql<
        { bytes: number }[]
      >`select sum(temp_bytes)::float8 as bytes from pg_stat_database`;
      return { ...peak, temporary: found?.bytes ?? 0 };
    },
  };
}

async function residentSize(pid: number): Promise<{ name: string; bytes: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const name = /^Name:\s+(\S+)/m.exec(status)?.[1] ?? "";
  return { name, bytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024 };
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
