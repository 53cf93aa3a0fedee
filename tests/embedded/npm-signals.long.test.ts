import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { eventually } from "#tests/support/eventually.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { freePort } from "#tests/support/shop-server.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

const root = join(import.meta.dirname, "../..");
const npm = spawnSync("npm", ["--version"], { encoding: "utf8" });
const problem = npm.status === 0 ? null : "there is no npm";
sayWhatIsSkipped("signals to npm alone", problem);

/** How long a start, and a stop on a busy machine may take. */
const PATIENCE = { timeout: 120_000, interval: 100 };

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// SIGINT to npm alone stays with npm and its shell, which both wait for the script to end.
test.skipIf(problem)(
  `npm start that gets SIGTERM alone stops the shop and its database${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "adwene-npm-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    await copyPreparedFolder(dataDir);
    const port = await freePort();
    const child = spawn("npm", ["start"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: what a signal to it alone leaves is ended at the end.
      detached: true,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(port),
        HOST: "127.0.0.1",
        DATA_DIR: dataDir,
      },
    });
    const pid = child.pid ?? 0;
    onTestFinished(() => {
      if (isThere(-pid)) process.kill(-pid, "SIGKILL");
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    // Whatever the shop has started holds these two.
    let isClosed = false;
    child.once("close", () => {
      isClosed = true;
    });
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(ready, PATIENCE);
    process.kill(pid, "SIGTERM");
    await eventually(() => isClosed, PATIENCE).catch(() => expect(`${output}\nstill running`).toBe("ended"));
    expect(await ready()).toBe(false);
    expect(await findProcesses(serverName(dataDir))).toEqual([]);
    expect(output).not.toMatch(/unexpected|SIGKILL/);
  },
);
