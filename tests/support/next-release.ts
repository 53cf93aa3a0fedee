import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeCleanCopy } from "#tests/packaging/clean-copy.ts";
import { copyPreparedFolder } from "./prepared-folder.ts";
import { freePort, type ShopServer, startShop } from "./shop-server.ts";

type Change = [file: string, was: string, is: string];

const root = join(import.meta.dirname, "../..");

/** A copy of the project with changed sources, built. */
async function buildChanged(changes: Change[]): Promise<{ folder: string; remove: () => Promise<void> }> {
  const copy = await makeCleanCopy();
  await symlink(join(root, "node_modules"), join(copy.folder, "node_modules"));
  for (const [name, was, is] of changes) {
    const file = join(copy.folder, name);
    const text = await readFile(file, "utf8");
    if (!text.includes(was)) throw new Error(`${name} no longer contains "${was}"`);
    await writeFile(file, text.replaceAll(was, is));
  }
  await promisify(execFile)(process.execPath, ["scripts/build.ts"], { cwd: copy.folder });
  return copy;
}

/** A shop whose next release can be deployed at the same address, with the same data. */
export async function openShopWithNextRelease(changes: Change[]) {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-release-"));
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), SHOP_DEMO: "1" };
  await copyPreparedFolder(dataDir, "demo");
  const next = await buildChanged(changes);
  let running: ShopServer = await startShop(env);
  return {
    url: running.url,
    dataDir,
    stop: () => running.stop(),
    async deploy() {
      await running.stop();
      running = await startShop(env, next.folder);
    },
    async close() {
      await running.stop();
      await next.remove();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
