import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DatabaseAddress } from "#server/database/engine.ts";
import { readSettings } from "#server/lib/settings.ts";
import { joinEmbedded } from "#server/shop/backend.ts";
import { newFolder } from "#tests/embedded/shop-folder.ts";
import { findMountProblem, mountSmallDisk } from "#tests/embedded/small-disk.ts";
import { eventually } from "#tests/support/eventually.ts";
import { installationIn, makeServer } from "#tests/support/owners-postgres.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

const mountProblem = findMountProblem();
sayWhatIsSkipped("readiness on a full disk", mountProblem);

/** What the shop says of its disk while that is full and afterwards, and that it is ready only without that. */
async function fillAndEmpty(
  disk: Awaited<ReturnType<typeof mountSmallDisk>>,
  folder: Awaited<ReturnType<typeof newFolder>>,
  env: NodeJS.ProcessEnv = {},
): Promise<string[]> {
  const shop = await folder.open(env);
  const settings = readSettings({ DATA_DIR: folder.dataDir, ...env });
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
  return folder.lines.filter((line) => line.startsWith("the disk of"));
}

const named = (disk: string) => [
  `${disk} is full: orders, sign-ins and backups fail until there is room. Delete what is not needed or enlarge it; the shop continues by itself`,
  `${disk} has room again`,
];

test.skipIf(mountProblem)(
  `is not ready while the disk is full, in the first process and in a worker${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  async () => {
    const disk = await mountSmallDisk(160);
    const folder = await newFolder("used", disk.folder);
    expect(await fillAndEmpty(disk, folder)).toEqual(named(`the disk of ${disk.folder}`));
  },
);

test.skipIf(mountProblem)(
  `is not ready while the disk of the owner's PostgreSQL is full, and says so${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  async () => {
    const disk = await mountSmallDisk(300);
    await mkdir(disk.folder);
    const server = await makeServer(
      await installationIn(disk.folder),
      join(disk.folder, "database"),
      "password",
      {},
    );
    onTestFinished(server.stop);
    const folder = await newFolder("empty");
    expect(await fillAndEmpty(disk, folder, { DATABASE_URL: server.url })).toEqual(
      named("the disk of the PostgreSQL server (DATABASE_URL)"),
    );
  },
);
