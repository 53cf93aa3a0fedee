import { buildIfChanged } from "#server/web/build.ts";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { makePowerDisk } from "./power-disk.ts";
import { PowerlessShop, type ShopFigures, type ShopMoment, shopMoments } from "./powerless-shop.ts";
import { chanceFrom } from "./random.ts";

/*
 * Power cuts of a whole shop: its data folder lies on a disk that is shut down without a flush while customers order over
 * HTTP, and every process is killed.
 */

export type ShopPowerFigures = ShopFigures & { cuts: Record<ShopMoment, number> };

/**
 * A shop whose power is cut at each of these moments, and at random ones of them until the time is over.
 * @throws Error that names the seed and what was lost
 */
async function runShopPowerCuts(
  { seed, until: end }: { seed: number; until: number },
  cuts: readonly ShopMoment[],
  tell: (line: string) => void,
): Promise<ShopPowerFigures> {
  await buildIfChanged();
  const chance = chanceFrom(seed);
  const counts = Object.fromEntries(shopMoments.map((moment) => [moment, 0])) as ShopPowerFigures["cuts"];
  const disk = await makePowerDisk(1_000);
  const shop = new PowerlessShop(disk, chance);
  try {
    if (cuts.includes("in the first start")) {
      await shop.cutFirstStart();
      counts["in the first start"] += 1;
    }
    await shop.open();
    const rounds = cuts.filter((moment) => moment !== "in the first start");
    for (let done = 0; done < rounds.length || Date.now() < end; done += 1) {
      const moment = rounds[done] ?? chance.pick(rounds) ?? "under orders";
      const broken = await shop.cutAt(moment);
      if (broken.length > 0) throw new Error(`Seed ${seed}, ${moment}:\n${broken.slice(0, 10).join("\n")}`);
      counts[moment] += 1;
      const { confirmed, covers } = shop.figures();
      tell(`${done + 1} cuts, the last ${moment}: ${confirmed} orders and ${covers} covers, all there`);
    }
    return { cuts: counts, ...shop.figures() };
  } finally {
    await shop.end();
    await disk.remove();
  }
}

/** The figures in a line. */
export function describeShopPowerCuts(figures: ShopPowerFigures): string {
  const { cuts, confirmed, covers, unanswered, foundPlaced, slowestStartMs } = figures;
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts of a whole shop: ${list.join(", ")}; ${confirmed} confirmed orders, 0 lost, 0 twice; ${covers} confirmed covers, all there; ${unanswered} requests unanswered, ${foundPlaced} of them orders that a retry found placed; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
}

/* node tests/torture/shop-power-cuts.ts SEED UNTIL MOMENT…: a cut at each moment and more until then, under runWithPowerDisk. */
if (import.meta.main) {
  ignoreLostConnections();
  await mustFinish("shop-power-cuts", async () => {
    const [seed, end, ...chosen] = process.argv.slice(2);
    const cuts = shopMoments.filter((moment) => chosen.includes(moment));
    const run = { seed: Number(seed), until: Number(end) };
    console.log(JSON.stringify(await runShopPowerCuts(run, cuts, (line) => console.error(line))));
  });
  process.exit(0);
}
