import { join } from "node:path";
import { ignoreLostConnections } from "./lost-connections.ts";
import { mustFinish } from "./must-finish.ts";
import { makePowerDisk, type PowerDisk } from "./power-disk.ts";
import { endAll } from "./processes.ts";
import { type Chance, chanceFrom } from "./random.ts";

/** A shop on a disk whose power is cut. */
export type UnderPower<Moment extends string, Figures> = {
  /** Cuts the power at a moment, and starts the shop again. @returns messages about what does not hold then */
  cutAt: (moment: Moment) => Promise<string[]>;
  figures: () => Figures;
  end: () => Promise<void>;
};

export type PowerFigures<Moment extends string, Figures> = Figures & { cuts: Record<Moment, number> };

/**
 * `node SCRIPT SEED UNTIL MOMENT…`, under runWithPowerDisk: cuts the power at each of these moments, and at random ones of
 * them until then (milliseconds since 1970). Prints the figures as JSON, and what goes on to standard error.
 * @param moments those that the script knows
 * @param open a shop on the disk; cut in its first start already, if this is one of the moments
 */
export async function runPowerCuts<Moment extends string, Figures extends object>(
  moments: readonly Moment[],
  megabytes: number,
  open: (disk: PowerDisk, chance: Chance, cutsFirstStart: boolean) => Promise<UnderPower<Moment, Figures>>,
): Promise<never> {
  ignoreLostConnections();
  await mustFinish("The run of power cuts", async () => {
    const [seed, until, ...chosen] = process.argv.slice(2);
    const chance = chanceFrom(Number(seed));
    const cuts = Object.fromEntries(moments.map((moment) => [moment, 0])) as Record<string, number>;
    const cutsFirstStart = chosen.includes(FIRST_START);
    const rounds = moments.filter((moment) => chosen.includes(moment) && moment !== FIRST_START);
    const disk = await makePowerDisk(megabytes);
    let shop: UnderPower<Moment, Figures> | null = null;
    try {
      shop = await open(disk, chance, cutsFirstStart);
      if (cutsFirstStart) cuts[FIRST_START] = 1;
      for (let done = 0; done < rounds.length || Date.now() < Number(until); done += 1) {
        const moment = (rounds[done] ?? chance.pick(rounds)) as Moment;
        const broken = await shop.cutAt(moment);
        if (broken.length > 0) throw new Error(`Seed ${seed}, ${moment}:\n${broken.slice(0, 10).join("\n")}`);
        cuts[moment] = (cuts[moment] ?? 0) + 1;
        console.error(`${done + 1} cuts, the last ${moment}: ${JSON.stringify(shop.figures())}`);
      }
      console.log(JSON.stringify({ ...shop.figures(), cuts }));
    } finally {
      await shop?.end();
      // What an opening that failed has left.
      await endAll(join(disk.folder, "data"));
      await disk.remove();
    }
  });
  process.exit(0);
}

const FIRST_START = "in the first start";
