import { buildIfChanged } from "#server/web/build.ts";
import { type PowerFigures, runPowerCuts } from "./power-run.ts";
import { PowerlessShop, type ShopFigures, type ShopMoment, shopMoments } from "./powerless-shop.ts";

/*
 * Power cuts of a whole shop: its data folder lies on a disk that is shut down without a flush while customers order over
 * HTTP, and every process is killed.
 */

export type ShopPowerFigures = PowerFigures<ShopMoment, ShopFigures>;

/** The figures in a line. */
export function describeShopPowerCuts(figures: ShopPowerFigures): string {
  const { cuts, confirmed, covers, unanswered, foundPlaced, slowestStartMs } = figures;
  const list = Object.entries(cuts).map(([moment, count]) => `${count} ${moment}`);
  return `power cuts of a whole shop: ${list.join(", ")}; ${confirmed} confirmed orders, 0 lost, 0 twice; ${covers} confirmed covers, all there; ${unanswered} requests unanswered, ${foundPlaced} of them orders that a retry found placed; slowest start ${(slowestStartMs / 1_000).toFixed(1)} s`;
}

if (import.meta.main)
  await runPowerCuts(shopMoments, 1_000, async (disk, chance, cutsFirstStart) => {
    await buildIfChanged();
    const shop = new PowerlessShop(disk, chance);
    if (cutsFirstStart) await shop.cutFirstStart();
    await shop.open();
    return shop;
  });
