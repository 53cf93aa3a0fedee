import { mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { releaseFiles } from "#server/web/releases.ts";
import { eventually } from "#tests/support/eventually.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { makeCleanCopy } from "./clean-copy.ts";

const root = join(import.meta.dirname, "../..");
/** Of some three hundred. */
const COMPRESSED_WHEN_STOPPED = 20;
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

/** The code stored for pages that are open during an update. */
const storedCode = async (dataDir: string) =>
  (await readdir(join(releaseFiles(dataDir), "assets"))).filter((name) => name.endsWith(".js"));

test("Opens the shop with files in gzip, and adds brotli afterwards, also after a restart", async () => {
  const folder = await copyWithoutBuild();
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-first-build-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const isFinished = () => isThere(join(folder, "build/compressed.sha256"));

  const first = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" }, folder);
  onTestFinished(first.stop);
  const early = await packedCode(folder, "gz");
  expect(early.size).toBeGreaterThan(100);
  // Every file served while they are being compressed is complete.
  const encodings: (string | null)[] = [];
  const compressed = () => encodings.filter((encoding) => encoding === "br").length;
  while (compressed() < COMPRESSED_WHEN_STOPPED)
    for (const name of early.keys()) {
      const response = await fetch(`${first.url}/assets/${name}`, {
        headers: { "accept-encoding": "gzip, br" },
      });
      encodings.push(response.headers.get("content-encoding"));
      expect(await response.text()).toBe(await readFile(join(folder, "build/client/assets", name), "utf8"));
      if (compressed() === COMPRESSED_WHEN_STOPPED) break;
    }
  expect(new Set(encodings).size).toBeLessThanOrEqual(2);
  expect(encodings).not.toContain(null);
  await first.stop();
  expect(await isFinished()).toBe(false);
  expect((await storedCode(dataDir)).sort()).toEqual([...early.keys()].sort());

  const second = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" }, folder);
  onTestFinished(second.stop);
  expect(second.output()).not.toContain("Building the pages");
  await eventually(isFinished, { timeout: FINISHED_MS, interval: 200 });
  await second.stop();
  const late = await packedCode(folder, "br");
  const sum = (sizes: Map<string, number>) => [...sizes.values()].reduce((total, size) => total + size, 0);
  expect(sum(late)).toBeLessThan(0.97 * sum(early));
  for (const [name, size] of late)
    expect((await stat(join(releaseFiles(dataDir), "assets", `${name}.br`))).size, name).toBe(size);
});
