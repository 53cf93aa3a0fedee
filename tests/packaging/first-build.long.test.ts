import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keptFiles } from "#server/web/releases.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { makeCleanCopy } from "./clean-copy.ts";

const root = join(import.meta.dirname, "../..");
/** How long files are fetched after the start: less than it takes to compress all of them further. */
const FETCHED_MS = 1_500;
/** Of a stop: the file under way is finished, no other one is begun. */
const STOP_MS = 5_000;
const FINISHED_MS = 120_000;

async function copyWithoutBuild(): Promise<string> {
  const { folder, remove } = await makeCleanCopy();
  onTestFinished(remove);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** The build's code, with the size of each file's compressed form. */
async function packedCode(folder: string, form: "br" | "gz"): Promise<Map<string, number>> {
  const assets = join(folder, "build/client/assets");
  const names = (await readdir(assets)).filter((name) => name.endsWith(".js"));
  const sizes = names.map(
    async (name) => [name, (await stat(join(assets, `${name}.${form}`))).size] as [string, number],
  );
  return new Map(await Promise.all(sizes));
}

test("A first start opens with files in gzip, and makes smaller ones from then on, also after a stop", async () => {
  const folder = await copyWithoutBuild();
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-first-build-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const isFinished = () => isThere(join(folder, "build/compressed.sha256"));

  const first = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" }, folder);
  onTestFinished(first.stop);
  const early = await packedCode(folder, "gz");
  expect(early.size).toBeGreaterThan(100);
  const began = performance.now();
  // Whatever is served while they are compressed is a whole file.
  while (performance.now() - began < FETCHED_MS)
    for (const name of early.keys()) {
      const response = await fetch(`${first.url}/assets/${name}`, {
        headers: { "accept-encoding": "gzip, br" },
      });
      expect(response.headers.get("content-encoding")).toMatch(/^(gzip|br)$/);
      expect(await response.text()).toBe(await readFile(join(folder, "build/client/assets", name), "utf8"));
    }
  const stopped = performance.now();
  await first.stop();
  expect(performance.now() - stopped).toBeLessThan(STOP_MS);
  expect(await isFinished()).toBe(false);

  const second = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" }, folder);
  onTestFinished(second.stop);
  expect(second.output()).not.toContain("Building the pages");
  await eventually(isFinished, { timeout: FINISHED_MS, interval: 200 });
  await second.stop();
  const late = await packedCode(folder, "br");
  const sum = (sizes: Map<string, number>) => [...sizes.values()].reduce((total, size) => total + size, 0);
  expect(sum(late)).toBeLessThan(0.97 * sum(early));
  // What is kept for pages that are open during an update is what the build has in the end.
  const kept = join(keptFiles(dataDir), "assets");
  for (const [name, size] of late) expect((await stat(join(kept, `${name}.br`))).size, name).toBe(size);
});

test("What an interrupted build leaves is not taken for the build of earlier sources", async () => {
  const folder = await copyWithoutBuild();
  const stamp = join(folder, "build/compiled.sha256");
  await mkdir(join(folder, "build"));
  await writeFile(stamp, "an earlier build");
  const build = spawn(process.execPath, ["scripts/build.ts"], {
    cwd: folder,
    stdio: "pipe",
    detached: true,
  });
  await eventually(() => isThere(join(folder, "build/client")), { timeout: FINISHED_MS });
  // With the compiler that it has started.
  process.kill(-(build.pid ?? 0), "SIGKILL");
  await once(build, "close");
  expect(await isThere(stamp)).toBe(false);
});
