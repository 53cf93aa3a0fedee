import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "#tests/support/shop-server.ts";
import { makeCleanCopy } from "./clean-copy.ts";
import type { Tools } from "./tools.ts";

const START_MS = 180_000;

type Finished = { code: number | null; output: string };

/** A clean copy of the project in which one npm on one Node runs commands. */
export type InstalledShop = {
  folder: string;
  /** `npm …words`, to its end. */
  npm: (...words: string[]) => Promise<Finished>;
  /** `npm start` until the shop answers that it is ready; stopped by SIGTERM to npm alone. */
  start: () => Promise<{ ready: unknown; output: () => string; stop: () => Promise<void> }>;
  remove: () => Promise<void>;
};

type Place = {
  /** What the folder's path begins with. */
  prefix?: string;
  /** Owns the folder and runs the commands in it; by default, the user who runs the test. */
  user?: { uid: number; gid: number };
};

/** Copies the project to where `npm ci` has never run. */
export async function makeInstalledShop(tools: Tools, { prefix, user }: Place = {}): Promise<InstalledShop> {
  const { folder, remove } = await makeCleanCopy(prefix);
  if (user) await promisify(execFile)("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
  const launch = (words: string[], env: NodeJS.ProcessEnv = {}) => {
    const { file, args } = tools.command;
    const child = spawn(file, [...args, ...words], {
      cwd: folder,
      env: { ...tools.env, NO_COLOR: "1", ...(user && homeIn(folder)), ...env },
      ...user,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // A process group of its own, as a terminal gives it.
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    }
    return { child, output: () => printed };
  };
  return {
    folder,
    remove,
    npm: async (...words) => {
      const { child, output } = launch(words);
      const [code] = await once(child, "close");
      return { code, output: output() };
    },
    start: async () => {
      const port = await freePort();
      const { child, output } = launch(["start"], {
        PORT: String(port),
        DATA_DIR: join(folder, "data"),
        SHOP_DEMO: "0",
      });
      const stop = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        // Everything that npm has started holds its output.
        const closed = once(child, "close");
        child.kill("SIGTERM");
        await closed;
      };
      try {
        return { ready: await untilReady(`http://127.0.0.1:${port}/healthz`, child, output), output, stop };
      } catch (error) {
        await stop();
        throw error;
      }
    },
  };
}

/** Another user has no right to the caller's home. */
const homeIn = (folder: string) => ({
  HOME: folder,
  npm_config_cache: join(folder, ".npm"),
  TMPDIR: "/tmp",
});

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<unknown> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output()}`);
    const health = await fetch(url).then(
      (response) => response.json(),
      () => null,
    );
    if (health?.ready) return health;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`npm start was not ready after ${START_MS / 1000} s:\n${output()}`);
}
