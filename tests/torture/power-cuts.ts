import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { addBook } from "./placing.ts";
import { openShop, type Shop } from "./power-database.ts";
import { makePowerDisk } from "./power-disk.ts";
import { type EmailsUnderPower, openEmailsUnderPower } from "./power-emails.ts";
import { openPaymentsUnderPower, type PaymentsUnderPower } from "./power-payments.ts";
import { endAll } from "./processes.ts";
import { type Chance, chanceFrom } from "./random.ts";

/** When the power is cut. */
export const moments = [
  "between the steps of payments and emails",
  "in the middle of payments and emails",
] as const;
type Moment = (typeof moments)[number];

export type PowerFigures = {
  cuts: Record<Moment, number>;
  slowestStartMs: number;
  money: MoneyFigures;
};
type MoneyFigures = ReturnType<PaymentsUnderPower["figures"]> & ReturnType<EmailsUnderPower["figures"]>;

type CutContext = { chance: Chance; payments: PaymentsUnderPower; emails: EmailsUnderPower };

/** Brings payments and emails to the moment, and cuts. */
async function cutAt(
  moment: Moment,
  shop: Shop,
  dataDir: string,
  cut: () => Promise<void>,
  { payments, emails, chance }: CutContext,
) {
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

type Options = {
  seed: number;
  cuts: readonly Moment[];
  /** Milliseconds since 1970 until which it continues beyond those. */
  until: number;
  tell: (line: string) => void;
};

/**
 * Cuts the power of the disk under payments and emails again and again; after each cut the shop must start and go on, with
 * every payment, refund and email. Orders and covers are those of a whole shop (shop-power-cuts.ts).
 * @throws Error that names the seed and what was lost
 */
async function runPowerCuts({ seed, cuts, until, tell }: Options): Promise<PowerFigures> {
  const chance = chanceFrom(seed);
  const counts = Object.fromEntries(moments.map((moment) => [moment, 0])) as PowerFigures["cuts"];
  const figures = { cuts: counts, slowestStartMs: 0 };
  const disk = await makePowerDisk(600);
  const dataDir = join(disk.folder, "data");
  let shop: Shop | null = null;
  try {
    disk.makeFolder("data");
    shop = await openShop(dataDir);
    const book = await addBook(shop.engine.sql);
    const [payments, emails] = [await openPaymentsUnderPower(book), await openEmailsUnderPower()];
    for (let done = 0; done < cuts.length || Date.now() < until; done += 1) {
      const moment = cuts[done] ?? chance.pick(moments) ?? moments[0];
      await cutAt(moment, shop, dataDir, disk.cut, { chance, payments, emails });
      shop = null;
      await disk.restore();
      figures.cuts[moment] += 1;
      const startedAt = Date.now();
      shop = await openShop(dataDir);
      figures.slowestStartMs = Math.max(figures.slowestStartMs, Date.now() - startedAt);
      const { sql } = shop.engine;
      const lost = [...(await payments.findBroken(sql)), ...(await emails.findBroken({ sql, dataDir }))];
      if (lost.length > 0) throw new Error(`Seed ${seed}, ${moment}:\n${lost.slice(0, 10).join("\n")}`);
      tell(
        `${done + 1} cuts, the last ${moment}: ${inWords({ ...payments.figures(), ...emails.figures() })}`,
      );
    }
    return { ...figures, money: { ...payments.figures(), ...emails.figures() } };
  } finally {
    await shop?.engine.close();
    await endAll(dataDir);
    await disk.remove();
  }
}

const inWords = ({ payments, refunds, sent, twice }: MoneyFigures) =>
  `${payments} payments and ${refunds} refunds, 0 lost, 0 twice; ${sent} emails, 0 lost, ${twice} twice, each accepted just before a cut`;

/** The figures in a line. */
export function describePowerCuts({ cuts, slowestStartMs, money }: PowerFigures): string {
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts: ${list.join(", ")}; ${inWords(money)}; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
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
