import { chmodSync, chownSync, cpSync, readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ADMIN, type ShopServer, START_MS, startShop } from "./shop-server.ts";

/** Passes test processes the folder that their parent made for prepared data folders. */
const variable = "SHOP_TEST_PREPARED";

type Catalogue = "demo" | "empty";

/** Makes room for a run's prepared folders, which processes started afterwards share; the answer removes them. */
export async function openPreparedFolders(): Promise<() => Promise<void>> {
  if (process.env[variable]) return async () => {};
  const place = await mkdtemp(join(tmpdir(), "adwene-prepared-"));
  process.env[variable] = place;
  return async () => {
    delete process.env[variable];
    await rm(place, { recursive: true, force: true });
  };
}

async function prepare(folder: string, catalogue: Catalogue): Promise<void> {
  // Only the process that prepares it needs the backend's code.
  const { openEmbedded } = await import("#server/shop/backend.ts");
  const { readSettings } = await import("#server/lib/settings.ts");
  const settings = readSettings({
    SITE_URL: "http://shop.example",
    SHOP_DEMO: catalogue === "demo" ? "1" : "0",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    DATA_DIR: folder,
  });
  const { fail } = await import("./embedded-shop.ts");
  await (await openEmbedded(settings, () => {}, fail)).stop();
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** A third of the work of the asynchronous `cp`, which comes back to the event loop for each of a thousand files. */
function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  // It leaves out the modes of folders, and owners: the first start has given the database to its own user.
  for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    const { mode, uid, gid } = statSync(join(from, name));
    chmodSync(join(to, name), mode);
    if (process.getuid?.() === 0) chownSync(join(to, name), uid, gid);
  }
}

/**
 * Copies a data folder in which a shop with `ADMIN` has run before. A first start takes three times as long as a later one,
 * so whichever test asks first makes one of each kind, and the others copy it.
 */
export async function copyPreparedFolder(dataDir: string, catalogue: Catalogue = "empty"): Promise<void> {
  const place = process.env[variable];
  if (!place) throw new Error("No prepared folders: the run's global setup opens them");
  const [folder, done] = [join(place, catalogue), join(place, `${catalogue}.done`)];
  const isMine = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isMine) {
    await prepare(folder, catalogue);
    await writeFile(done, "");
  }
  const deadline = Date.now() + START_MS;
  while (!(await exists(done))) {
    if (Date.now() > deadline) throw new Error(`No ${catalogue} shop was prepared in ${START_MS / 1000} s`);
    await sleep(50);
  }
  copyFolder(folder, dataDir);
}

/** As `startShop`, in a copy of a prepared folder: for tests whose subject is not the first start. */
export async function startPreparedShop(
  catalogue: Catalogue,
  env: NodeJS.ProcessEnv = {},
): Promise<ShopServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-test-"));
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  try {
    await copyPreparedFolder(dataDir, catalogue);
    const shop = await startShop({ SHOP_DEMO: catalogue === "demo" ? "1" : "0", ...env, DATA_DIR: dataDir });
    return { ...shop, stop: () => shop.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
