import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { type MoneyPowerFigures, moments } from "#tests/torture/power-cuts.ts";
import { findPowerProblem, runWithPowerDisk } from "#tests/torture/power-disk.ts";
import { shopMoments } from "#tests/torture/powerless-shop.ts";
import type { ShopPowerFigures } from "#tests/torture/shop-power-cuts.ts";

const problem = await findPowerProblem();
sayWhatIsSkipped("power cuts", problem);
const skipped = problem ? ` (skipped: ${problem})` : "";

const torture = join(import.meta.dirname, "../torture");
const script = join(torture, "power-cuts.ts");

test.skipIf(problem)(
  `When the power is cut, no payment, refund or email is lost, and the database starts again${skipped}`,
  async () => {
    const printed = await runWithPowerDisk(script, ["20261121", "0", ...moments]);
    const figures = JSON.parse(printed) as MoneyPowerFigures;
    for (const moment of moments) expect([moment, figures.cuts[moment]]).toEqual([moment, 1]);
    // One at each step.
    expect(figures.payments).toBeGreaterThanOrEqual(16);
    expect(figures.refunds).toBeGreaterThanOrEqual(6);
    expect(figures.sent).toBeGreaterThan(40);
  },
  240_000,
);

test.skipIf(problem)(
  `When the power is cut, no confirmed order or cover of a whole shop is lost, and it sells again${skipped}`,
  async () => {
    const args = ["20261121", "0", ...shopMoments];
    const printed = await runWithPowerDisk(join(torture, "shop-power-cuts.ts"), args);
    const figures = JSON.parse(printed) as ShopPowerFigures;
    for (const moment of shopMoments) expect([moment, figures.cuts[moment]]).toEqual([moment, 1]);
    expect(figures.confirmed).toBeGreaterThan(0);
    expect(figures.covers).toBeGreaterThan(0);
  },
  240_000,
);

test("A run of power cuts that cannot continue says why, and fails", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "1", "0", ...moments], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(/Error: spawnSync truncate ENOENT/);
});
