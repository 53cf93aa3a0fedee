import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { tryLock } from "./kernel-lock.ts";

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shop-lock-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "lock");
}

test("A locked file is refused until its holder closes it, and then available whatever the holder left behind", async () => {
  const path = await newPath();
  const first = await tryLock(path);
  expect(first).not.toBeNull();
  expect(await tryLock(path)).toBeNull();
  first?.close();
  const second = await tryLock(path);
  expect(second).not.toBeNull();
  second?.close();
});

/** Takes the lock 20 times, as the backend does, and fails if another process has it at the same time. */
const taker = `
import { closeSync, openSync, rmSync } from "node:fs";
import { tryLock } from ${JSON.stringify(join(import.meta.dirname, "kernel-lock.ts"))};
const path = process.argv[1];
for (let taken = 0; taken < 20; ) {
  const lock = await tryLock(path);
  if (!lock) continue;
  closeSync(openSync(path + ".inside", "wx"));
  rmSync(path + ".inside");
  rmSync(path);
  lock.close();
  taken += 1;
}
console.log("done");`;

test("Processes that take, remove and release a lock concurrently never hold it together", async () => {
  const path = await newPath();
  const takers = Array.from({ length: 3 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", taker, path]),
  );
  for (const { stdout } of await Promise.all(takers)) expect(stdout).toBe("done\n");
});
