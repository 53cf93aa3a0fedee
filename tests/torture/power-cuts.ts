import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "#server/database/engine.ts";
import type { Sql } from "#server/database/sql.ts";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { addBook, customersOf, startingStock } from "./placing.ts";
import { openShop, type Shop } from "./power-database.ts";
import { makePowerDisk } from "./power-disk.ts";
import { type EmailsUnderPower, openEmailsUnderPower } from "./power-emails.ts";
import { openPaymentsUnderPower, type PaymentsUnderPower } from "./power-payments.ts";
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
  "between the steps of payments and emails",
  "in the middle of payments and emails",
] as const;
type Moment = (typeof moments)[number];

export type PowerFigures = {
  cuts: Record<Moment, number>;
  confirmed: number;
  slowestStartMs: number;
  money: MoneyFigures;
};
type MoneyFigures = ReturnType<PaymentsUnderPower["figures"]> & ReturnType<EmailsUnderPower["figures"]>;

const customersAtOnce = 4;

/** Customers order until the power is cut. */
function startOrdering(sql: Sql, book: string, confirmed: Set<string>): () => Promise<void> {
  let on = true;
  const work = Array.from({ length: customersAtOnce }, async () => {
    const order = customersOf(sql, book);
    while (on) {
      try {
        confirmed.add(await order());
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
  if (left?.stock_quantity !== startingStock - rows.length)
    lost.push(`${left?.stock_quantity} copies are left after ${rows.length} orders of ${startingStock}`);
  return lost;
}

const untilMore = async (confirmed: Set<string>, more: number) => {
  const target = confirmed.size + more;
  const until = Date.now() + 60_000;
  while (confirmed.size < target) {
    if (Date.now() > until) throw new Error("Customers get nowhere");
    await pause(1);
  }
};

/** Payments and emails are under way when the power is cut. */
async function cutAmidMoney(
  moment: Moment,
  shop: Shop,
  dataDir: string,
  cut: () => Promise<void>,
  context: CutContext,
) {
  const { payments, emails, chance } = context;
  const { sql } = shop.engine;
  if (moment === "in the middle of payments and emails") {
    payments.letRun(sql);
    emails.letRun({ sql, dataDir });
    await pause(chance.whole(100, 1_000));
  } else {
    await payments.holdAtEachStep(sql);
    await emails.holdAtEachStep({ sql, dataDir });
  }
  await cut();
  await endAll(dataDir);
  await shop.engine.close();
  await shop.release().catch(() => {}); // On a disk without power.
}

/** Brings the shop to the moment, and cuts. */
async function cutAt(
  moment: Moment,
  shop: Shop,
  dataDir: string,
  cut: () => Promise<void>,
  context: CutContext,
) {
  const { book, confirmed, chance } = context;
  if (
    moment === "between the steps of payments and emails" ||
    moment === "in the middle of payments and emails"
  )
    return cutAmidMoney(moment, shop, dataDir, cut, context);
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

type CutContext = {
  book: string;
  confirmed: Set<string>;
  chance: Chance;
  payments: PaymentsUnderPower;
  emails: EmailsUnderPower;
};

/** The power is cut while the database is being created: the next start begins from scratch. */
async function cutFirstStart(dataDir: string, cut: () => Promise<void>, chance: Chance): Promise<void> {
  let over = false;
  const opening = openShop(dataDir)
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
  const figures = { cuts: counts, slowestStartMs: 0 };
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
    shop = await openShop(dataDir);
    const book = await addBook(shop.engine.sql);
    const [payments, emails] = [await openPaymentsUnderPower(book), await openEmailsUnderPower()];
    const rounds = cuts.filter((moment) => moment !== "in the first start");
    for (let done = 0; done < rounds.length || Date.now() < until; done += 1) {
      const moment = rounds[done] ?? chance.pick(rounds) ?? "under orders";
      await cutAt(moment, shop, dataDir, disk.cut, { book, confirmed, chance, payments, emails });
      shop = null;
      await disk.restore();
      figures.cuts[moment] += 1;
      const startedAt = Date.now();
      shop = await openShop(dataDir);
      figures.slowestStartMs = Math.max(figures.slowestStartMs, Date.now() - startedAt);
      const lost = await findLost(shop.engine, book, confirmed);
      const { sql } = shop.engine;
      lost.push(...(await payments.findBroken(sql)), ...(await emails.findBroken({ sql, dataDir })));
      if (lost.length > 0) throw new Error(`Seed ${seed}, ${moment}:\n${lost.slice(0, 10).join("\n")}`);
      tell(`${done + 1} cuts, the last ${moment}: ${confirmed.size} confirmed orders, all there`);
    }
    return { ...figures, confirmed: confirmed.size, money: { ...payments.figures(), ...emails.figures() } };
  } finally {
    await shop?.engine.close();
    await endAll(dataDir);
    await disk.remove();
  }
}

const inWords = ({ payments, refunds, sent, twice }: MoneyFigures) =>
  `${payments} payments and ${refunds} refunds, 0 lost, 0 twice; ${sent} emails, 0 lost, ${twice} twice, each accepted just before a cut`;

/** The figures in a line. */
export function describePowerCuts({ cuts, confirmed, slowestStartMs, money }: PowerFigures): string {
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts: ${list.join(", ")}; ${confirmed} confirmed orders, 0 lost; ${inWords(money)}; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
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
