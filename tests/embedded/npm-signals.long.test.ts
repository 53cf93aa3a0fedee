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
sayWhatIsSkipped("signals to npm only", problem);

/** How long a start or a stop may take on a busy machine. */
const WAIT = { timeout: 120_000, interval: 100 };

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

// SIGINT to npm only isn't passed on: npm and its shell both wait for the script to end.
test.skipIf(problem)(
  `stops the shop and its database when only npm start gets SIGTERM${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "adwene-npm-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    await copyPreparedFolder(dataDir);
    const port = await freePort();
    const child = spawn("npm", ["start"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group, so that whatever survives the signal to npm can be ended afterwards.
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
    await eventually(ready, WAIT);
    process.kill(pid, "SIGTERM");
    await eventually(() => isClosed, WAIT).catch(() => expect(`${output}\nstill running`).toBe("ended"));
    expect(await ready()).toBe(false);
    expect(await findProcesses(serverName(dataDir))).toEqual([]);
    expect(output).not.toMatch(/unexpected|SIGKILL/);
  },
);
