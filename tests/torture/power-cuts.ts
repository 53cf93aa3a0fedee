import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addBook } from "./placing.ts";
import { openShop, type Shop } from "./power-database.ts";
import type { PowerDisk } from "./power-disk.ts";
import { type EmailsUnderPower, openEmailsUnderPower } from "./power-emails.ts";
import { openPaymentsUnderPower, type PaymentsUnderPower } from "./power-payments.ts";
import { type PowerFigures, runPowerCuts, type UnderPower } from "./power-run.ts";
import { endAll } from "./processes.ts";
import type { Chance } from "./random.ts";

/* Payments and emails whose shop loses its power; after each cut it must start and go on, with every one of them. */

/** When the power is cut. */
export const moments = [
  "between the steps of payments and emails",
  "in the middle of payments and emails",
] as const;
type Moment = (typeof moments)[number];

type Figures = ReturnType<PaymentsUnderPower["figures"]> &
  ReturnType<EmailsUnderPower["figures"]> & { slowestStartMs: number };
export type MoneyPowerFigures = PowerFigures<Moment, Figures>;

async function openMoneyUnderPower(disk: PowerDisk, chance: Chance): Promise<UnderPower<Moment, Figures>> {
  disk.makeFolder("data");
  const dataDir = join(disk.folder, "data");
  let shop: Shop | null = await openShop(dataDir);
  let slowestStartMs = 0;
  const payments = await openPaymentsUnderPower(await addBook(shop.engine.sql));
  const emails = await openEmailsUnderPower();

  async function cut(moment: Moment, { engine, release }: Shop): Promise<void> {
    const { sql } = engine;
    if (moment === "in the middle of payments and emails") {
      payments.letRun(sql);
      emails.letRun({ sql, dataDir });
      await pause(chance.whole(100, 1_000));
    } else {
      await payments.holdAtEachStep(sql);
      await emails.holdAtEachStep({ sql, dataDir });
    }
    await disk.cut();
    await endAll(dataDir);
    await engine.close();
    await release().catch(() => {}); // On a disk without power.
  }

  return {
    cutAt: async (moment) => {
      if (shop) await cut(moment, shop);
      shop = null;
      await disk.restore();
      const startedAt = Date.now();
      shop = await openShop(dataDir);
      slowestStartMs = Math.max(slowestStartMs, Date.now() - startedAt);
      const { sql } = shop.engine;
      return [...(await payments.findBroken(sql)), ...(await emails.findBroken({ sql, dataDir }))];
    },
    figures: () => ({ ...payments.figures(), ...emails.figures(), slowestStartMs }),
    end: async () => shop?.engine.close(),
  };
}

/** The figures in a line. */
export function describePowerCuts(figures: MoneyPowerFigures): string {
  const { cuts, payments, refunds, sent, twice, slowestStartMs } = figures;
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts: ${list.join(", ")}; ${payments} payments and ${refunds} refunds, 0 lost, 0 twice; ${sent} emails, 0 lost, ${twice} twice, each accepted just before a cut; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
}

if (import.meta.main) await runPowerCuts(moments, 600, openMoneyUnderPower);
