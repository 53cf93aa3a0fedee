import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createHashThreads } from "#server/api/accounts/hash-threads.ts";

const salt = "$2b$04$i4LHdl/EVnrq6bjELu5j8u";

/** Threads that end during as many jobs as the password says, and answer later ones. */
async function mortalThreads() {
  const folder = await mkdtemp(join(tmpdir(), "adwene-threads-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "thread.mjs");
  await writeFile(
    file,
    `import { appendFileSync, readFileSync } from "node:fs";
     import { parentPort } from "node:worker_threads";
     const ends = ${JSON.stringify(join(folder, "ends"))};
     appendFileSync(ends, "");
     parentPort.on("message", ({ password, salt }) => {
       if (readFileSync(ends).length < Number(password)) {
         appendFileSync(ends, "x");
         process.exit(1);
       }
       parentPort.postMessage("hash of " + password + " with " + salt);
       if (salt === "last words") process.exit(1);
     });`,
  );
  return createHashThreads(pathToFileURL(file));
}

test("A job whose thread ended is done by another one", async () => {
  const hashing = await mortalThreads();
  expect(await hashing({ password: "2", salt: "a" })).toBe("hash of 2 with a");
});

test("A job that ends every thread fails, and the next one gets a thread again", async () => {
  const hashing = await mortalThreads();
  await expect(hashing({ password: "3", salt: "a" })).rejects.toThrow("The hashing thread ended");
  expect(await hashing({ password: "3", salt: "b" })).toBe("hash of 3 with b");
});

test("A thread that ends between two jobs is replaced", async () => {
  const hashing = await mortalThreads();
  for (let job = 0; job < 20; job += 1)
    expect(await hashing({ password: "0", salt: "last words" })).toBe("hash of 0 with last words");
});

/** Of each thread of this process. */
async function niceValues(): Promise<number[]> {
  const threads = await readdir("/proc/self/task");
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, "utf8").catch(() => "")),
  );
  return stats.map((stat) => Number(stat.replace(/^.*\) /s, "").split(" ")[16]));
}

test.skipIf(process.platform !== "linux")(
  "Hashing threads run at a lower priority, and no other thread does",
  async () => {
    const priorities = () => Promise.all([getPriority(), niceValues()]);
    const [own, before] = await priorities();
    const hashing = createHashThreads();
    expect(await hashing({ password: "a password", salt })).toMatch(/^\$2b\$04\$/);
    const [ownAfter, after] = await priorities();
    const low = (values: number[]) =>
      values.filter((nice) => nice === constants.priority.PRIORITY_BELOW_NORMAL);
    expect([ownAfter, low(after).length - low(before).length]).toEqual([own, 1]);
  },
);
