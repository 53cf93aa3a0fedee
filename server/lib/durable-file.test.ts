import { type FileHandle, mkdtemp, open, readdir, readFile, readlink, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { flushFolder, makeFolder, writeDurably } from "./durable-file.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "durable-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Notes each flush as it happens: what is flushed, and the names in the folder at that moment. */
async function watchFlushes(folder: string) {
  const handle = await open(folder, "r");
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const flushes: { path: string; names: string[]; text: string | null }[] = [];
  const { sync } = prototype;
  const spy = vi.spyOn(prototype, "sync").mockImplementation(async function (this: FileHandle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`);
    const text = (await this.stat()).isDirectory() ? null : await readFile(path, "utf8");
    flushes.push({ path, names: await readdir(folder), text });
    return sync.call(this);
  });
  onTestFinished(() => void spy.mockRestore());
  return flushes;
}

test.runIf(process.platform === "linux")(
  "A file is flushed completely before it gets its name, and its folder after that, so that a power cut loses neither",
  async () => {
    const folder = await newFolder();
    const flushes = await watchFlushes(folder);
    expect(await writeDurably(join(folder, "order"), "twelve books")).toBe(12);
    expect(flushes).toEqual([
      {
        path: expect.stringContaining(".tmp"),
        names: [expect.stringContaining(".tmp")],
        text: "twelve books",
      },
      { path: folder, names: ["order"], text: null },
    ]);
  },
);

test.runIf(process.platform === "linux")(
  "A new folder's name is flushed into the one above it, and each one between; an existing folder costs nothing",
  async () => {
    const folder = await newFolder();
    const flushes = await watchFlushes(folder);
    await makeFolder(join(folder, "a/b"), 0o700);
    expect(flushes.map(({ path }) => path)).toEqual([folder, join(folder, "a")]);
    expect((await stat(join(folder, "a/b"))).mode & 0o777).toBe(0o700);
    await makeFolder(join(folder, "a/b"), 0o700);
    expect(flushes.length).toBe(2);
  },
);

test("Content that breaks off leaves the file unchanged, and nothing beside it", async () => {
  const folder = await newFolder();
  const path = join(folder, "cover");
  await writeDurably(path, "the first cover");
  async function* brokenOff() {
    yield Buffer.from("half of");
    throw new Error("hung up");
  }
  await expect(writeDurably(path, brokenOff())).rejects.toThrow("hung up");
  expect(await readFile(path, "utf8")).toBe("the first cover");
  expect(await readdir(folder)).toEqual(["cover"]);
});

test("A file has its permissions from the first byte on", async () => {
  const folder = await newFolder();
  const modes: number[] = [];
  async function* watched() {
    for (const name of await readdir(folder)) modes.push((await stat(join(folder, name))).mode & 0o777);
    yield Buffer.from("a password");
  }
  await writeDurably(join(folder, "secret"), watched(), 0o600);
  modes.push((await stat(join(folder, "secret"))).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
});

/** The files of a folder, and the folder itself, that this process holds open. */
async function openIn(folder: string): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd");
  const paths = await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return paths.filter((path) => path.startsWith(folder));
}

test.runIf(process.platform === "linux")(
  "No file stays open, neither after a success nor after a failure",
  async () => {
    const folder = await newFolder();
    async function* brokenOff() {
      yield Buffer.from("half of");
      expect(await openIn(folder)).toHaveLength(1);
      throw new Error("hung up");
    }
    await writeDurably(join(folder, "whole"), "all of it");
    await expect(writeDurably(join(folder, "broken"), brokenOff())).rejects.toThrow("hung up");
    expect(await openIn(folder)).toEqual([]);
  },
);

test("A file for a missing folder fails with the file system's reason", async () => {
  const folder = await newFolder();
  const failed = expect(writeDurably(join(folder, "missing", "file"), "text")).rejects;
  await failed.toMatchObject({ code: "ENOENT", syscall: "open" });
});

test("On Windows no folder is opened for flushing", async () => {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  await expect(flushFolder(join(tmpdir(), "adwene-no-such-folder"))).resolves.toBeUndefined();
});
