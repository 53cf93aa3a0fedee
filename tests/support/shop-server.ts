import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

export const ADMIN = { email: "owner@adwene.example", password: "a long enough password" };

export type ShopServer = {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** Everything the shop printed so far, both streams. */
  output: () => string;
  /** Kills it, and waits until no one listens any more. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

/** How long a start may take on a busy machine; every test that starts a shop needs this timeout. */
export const START_MS = 180_000;
const STOP_MS = 30_000;

/**
 * Starts the built shop on a free port with an empty data folder of its own, as `npm start` does, and waits until
 * it is ready. `env` adds settings; a `DATA_DIR` in it is kept when the shop stops.
 * @param folder another copy of the project
 */
export async function startShop(
  env: NodeJS.ProcessEnv = {},
  folder = join(import.meta.dirname, "../.."),
): Promise<ShopServer> {
  const port = env.PORT ?? (await freePort());
  const url = `http://localhost:${port}`;
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "adwene-test-")));
  let printed = "";
  const child = spawn(process.execPath, manifest.scripts.start.split(" ").slice(1), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      // Each test comes from an address of its own (see the fixtures), so that rate limits hold per test.
      TRUSTED_PROXIES: "127.0.0.1,::1",
      ...env,
    },
  });
  const keep = (chunk: Buffer) => {
    printed += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      const patience = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(patience);
    }
    // After a kill the database shuts itself down, and still writes for a moment.
    if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
    const listens = () =>
      fetch(`${url}/favicon.svg`).then(
        () => true,
        () => false,
      );
    while (await listens()) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  try {
    await untilReady(url, child, () => printed);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataDir, process: child, output: () => printed, kill, stop };
}

async function untilReady(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The shop ended at its start:\n${printed()}`);
    // Where the port is taken, whatever has it may never answer.
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The shop was not ready after ${START_MS / 1000} s:\n${printed()}`);
}

/** A port that is currently free. */
export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
