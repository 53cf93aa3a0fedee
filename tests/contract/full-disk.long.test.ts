import { expect, onTestFinished, test } from "vitest";
import type { DatabaseAddress } from "#server/database/engine.ts";
import { readSettings } from "#server/lib/settings.ts";
import { joinEmbedded } from "#server/shop/backend.ts";
import { newFolder } from "#tests/embedded/shop-folder.ts";
import { findMountProblem, mountSmallDisk } from "#tests/embedded/small-disk.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

const mountProblem = findMountProblem();
sayWhatIsSkipped("readiness on a full disk", mountProblem);

test.skipIf(mountProblem)(
  `is not ready while the disk is full, in the first process and in a worker${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  async () => {
    const disk = await mountSmallDisk(160);
    const folder = await newFolder("used", disk.folder);
    const shop = await folder.open();
    const settings = readSettings({ DATA_DIR: disk.folder });
    const worker = await joinEmbedded(settings, shop.database as DatabaseAddress, () => {});
    onTestFinished(worker.stop);
    const readiness = () => Promise.all([shop.ready(), worker.ready()]);
    const becomes = (isReady: boolean) =>
      eventually(async () => expect(await readiness()).toEqual([isReady, isReady]), { timeout: 60_000 });
    await becomes(true);
    await disk.fill();
    await becomes(false);
    await disk.empty();
    await becomes(true);
    expect(folder.lines.filter((line) => line.startsWith("the disk of"))).toEqual([
      expect.stringContaining(" is full: orders, sign-ins and backups fail until there is room."),
      expect.stringContaining(" has room again"),
    ]);
  },
);
