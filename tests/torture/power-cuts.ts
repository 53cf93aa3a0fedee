import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { prepareDatabase } from "#server/embedded/bootstrap.ts";
import { type Engine, openDatabase } from "#server/embedded/engine.ts";
import { takeLock } from "#server/embedded/lock.ts";
import { applyMigrations } from "#server/embedded/migrations.ts";
import { ensureSecrets } from "#server/embedded/secrets.ts";
import type { Sql } from "#server/embedded/sql.ts";
import { listMigrations } from "#server/shared/migration-files.ts";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { makePowerDisk } from "./power-disk.ts";
import { endAll } from "./processes.ts";
import { type Chance, chanceFrom } from "./random.ts";

/** When the power is cut. */
export const moments = [
  "in the first start",
  "right after a start",
  "under orders",
  "in a checkpoint",
  "after a clean stop",
  "16 s after a clean stop",
] as const;
type Moment = (typeof moments)[number];

export type PowerFigures = { cuts: Record<Moment, number>; confirmed: number; slowestStartMs: number };

const stock = 1_000_000;
const customersAtOnce = 4;

type Shop = { engine: Engine; release: () => Promise<void> };

async function open(dataDir: string): Promise<Shop> {
  const release = await takeLock(dataDir);
  try {
    await ensureSecrets(dataDir);
    const engine = await openDatabase({ dataDir, databaseUrl: null }, () => {});
    await prepareDatabase(engine.sql);
    await applyMigrations(engine.sql, await listMigrations());
    return { engine, release };
  } catch (error) {
    // A process that ended would give the lock back with its descriptors; this one lives on.
    await release().catch(() => {});
    throw error;
  }
}

async function addBook({ sql }: Engine): Promise<string> {
  const [book] = await sql.query<{ id: string }>(
    "insert into public.books (title, price, stock_quantity) values ('Wanted', 10, $1) returning id",
    [stock],
  );
  return book?.id ?? "";
}

async function newCustomer(sql: Sql): Promise<string> {
  const id = randomUUID();
  await sql.query("insert into auth.users (id, email) values ($1, $2)", [id, `${id}@example.com`]);
  return id;
}

/** The statements of a checkout, in the customer's name; confirmed as soon as the database has answered. */
async function order(sql: Sql, customer: string, book: string): Promise<string> {
  const id = randomUUID();
  await sql.transaction(async (transaction) => {
    const claims = JSON.stringify({ role: "authenticated", sub: customer });
    await transaction.query(
      "select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)",
      [claims],
    );
    await transaction.query("select public.add_to_cart($1, 1)", [book]);
    await transaction.query("insert into public.orders (id, user_id, total_amount) values ($1, $2, 10)", [
      id,
      customer,
    ]);
  });
  return id;
}

/** Customers order until the power is cut. */
function startOrdering(sql: Sql, book: string, confirmed: Set<string>): () => Promise<void> {
  let on = true;
  const work = Array.from({ length: customersAtOnce }, async () => {
    let customer = "";
    for (let placed = 0; on; placed += 1) {
      try {
        // A customer may place at most twenty orders an hour.
        if (placed % 15 === 0) customer = await newCustomer(sql);
        confirmed.add(await order(sql, customer, book));
      } catch {
        await pause(10); // The power has been cut, or is about to be.
      }
    }
  });
  return async () => {
    on = false;
    // The driver may leave a transaction unanswered for ever when its server dies; no further confirmation can arrive.
    await Promise.race([Promise.all(work), pause(3_000)]);
  };
}

/** Messages about everything that differs from what customers were shown. */
async function findLost({ sql }: Engine, book: string, confirmed: Set<string>): Promise<string[]> {
  const rows = await sql.query<{ id: string; lines: number }>(
    `select o.id, count(i.id)::int as lines from public.orders o left join public.order_items i on i.order_id = o.id
     group by 1`,
  );
  const found = new Map(rows.map(({ id, lines }) => [id, lines]));
  const lost = [...confirmed].filter((id) => found.get(id) !== 1).map((id) => `order ${id} is lost`);
  const [left] = await sql.query<{ stock_quantity: number }>(
    "select stock_quantity from public.books where id = $1",
    [book],
  );
  if (left?.stock_quantity !== stock - rows.length)
    lost.push(`${left?.stock_quantity} copies are left after ${rows.length} orders of ${stock}`);
  return lost;
}

const untilMore = async (confirmed: Set<string>, more: number) => {
  const wanted = confirmed.size + more;
  const until = Date.now() + 60_000;
  while (confirmed.size < wanted) {
    if (Date.now() > until) throw new Error("Customers get nowhere");
    await pause(1);
  }
};

/** Brings the shop to the moment, and cuts. */
async function cutAt(
  moment: Moment,
  shop: Shop,
  dataDir: string,
  cut: () => Promise<void>,
  context: CutContext,
) {
  const { book, confirmed, chance } = context;
  const stopOrdering = startOrdering(shop.engine.sql, book, confirmed);
  const isStop = moment === "after a clean stop" || moment === "16 s after a clean stop";
  await untilMore(confirmed, moment === "right after a start" ? 1 : chance.whole(5, 60));
  if (isStop) {
    await stopOrdering();
    await shop.engine.close();
    await shop.release();
    if (moment === "16 s after a clean stop") await pause(16_000);
    return cut();
  }
  if (moment === "in a checkpoint") {
    shop.engine.sql.query("checkpoint").catch(() => {});
    await pause(chance.whole(0, 15));
  }
  await cut();
  await endAll(dataDir);
  await Promise.all([stopOrdering(), shop.engine.close()]);
  await shop.release().catch(() => {}); // On a disk without power.
}

type CutContext = { book: string; confirmed: Set<string>; chance: Chance };

/** The power is cut while the database is being created: the next start begins from scratch. */
async function cutFirstStart(dataDir: string, cut: () => Promise<void>, chance: Chance): Promise<void> {
  let over = false;
  const opening = open(dataDir)
    .then(async ({ engine, release }) => {
      await engine.close();
      await release();
    })
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  await pause(chance.whole(50, 1_500));
  await cut();
  // Programs that were just being started would go on in the memory of a disk that is off.
  while (!over) {
    await endAll(dataDir);
    await pause(20);
  }
  await opening;
}

type Options = {
  seed: number;
  cuts: readonly Moment[];
  /** Milliseconds since 1970 until which it continues beyond those. */
  until: number;
  tell: (line: string) => void;
};

/**
 * Cuts the power of the disk again and again; after each cut the shop must start, with every confirmed order and the
 * right stock.
 * @throws Error that names the seed and what was lost
 */
async function runPowerCuts({ seed, cuts, until, tell }: Options): Promise<PowerFigures> {
  const chance = chanceFrom(seed);
  const confirmed = new Set<string>();
  const counts = Object.fromEntries(moments.map((moment) => [moment, 0])) as PowerFigures["cuts"];
  const figures: PowerFigures = { cuts: counts, confirmed: 0, slowestStartMs: 0 };
  const disk = await makePowerDisk(600);
  const dataDir = join(disk.folder, "data");
  let shop: Shop | null = null;
  try {
    disk.makeFolder("data");
    if (cuts.includes("in the first start")) {
      await cutFirstStart(dataDir, disk.cut, chance);
      figures.cuts["in the first start"] += 1;
      await disk.restore();
      disk.makeFolder("data");
    }
    shop = await open(dataDir);
    const book = await addBook(shop.engine);
    const rounds = cuts.filter((moment) => moment !== "in the first start");
    for (let done = 0; done < rounds.length || Date.now() < until; done += 1) {
      const moment = rounds[done] ?? chance.pick(rounds) ?? "under orders";
      await cutAt(moment, shop, dataDir, disk.cut, { book, confirmed, chance });
      shop = null;
      await disk.restore();
      figures.cuts[moment] += 1;
      const startedAt = Date.now();
      shop = await open(dataDir);
      figures.slowestStartMs = Math.max(figures.slowestStartMs, Date.now() - startedAt);
      const lost = await findLost(shop.engine, book, confirmed);
      if (lost.length > 0) throw new Error(`Seed ${seed}, ${moment}:\n${lost.slice(0, 10).join("\n")}`);
      tell(`${done + 1} cuts, the last ${moment}: ${confirmed.size} confirmed orders, all there`);
    }
    return { ...figures, confirmed: confirmed.size };
  } finally {
    await shop?.engine.close();
    await endAll(dataDir);
    await disk.remove();
  }
}

/** The figures in a line. */
export function describePowerCuts({ cuts, confirmed, slowestStartMs }: PowerFigures): string {
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts: ${list.join(", ")}; ${confirmed} confirmed orders, 0 lost; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
}

/* node tests/torture/power-cuts.ts SEED UNTIL MOMENT…: a cut at each moment and more until then, under runWithPowerDisk. */
if (import.meta.main) {
  ignoreLostConnections();
  await mustFinish("power-cuts", async () => {
    const [seed, until, ...chosen] = process.argv.slice(2);
    const cuts = moments.filter((moment) => chosen.includes(moment));
    const tell = (line: string) => console.error(line);
    console.log(JSON.stringify(await runPowerCuts({ seed: Number(seed), until: Number(until), cuts, tell })));
  });
  process.exit(0);
}
