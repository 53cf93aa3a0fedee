import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { releaseFiles, storeRelease } from "./releases.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function makeFolder(files: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "adwene-releases-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const build = (number: number) =>
  makeFolder({
    [`assets/page-${number}.js`]: `${number}`,
    "pictures/home/1.avif": "picture",
    "index.html": "",
  });

const storedFiles = async (dataDir: string) =>
  (await readdir(releaseFiles(dataDir), { recursive: true })).filter((name) => name.includes(".")).sort();

/** Releases are days apart. */
const release = async (dataDir: string, number: number) => {
  await storeRelease(dataDir, `b${number}`, await build(number));
  await utimes(join(dataDir, "releases", `b${number}.json`), number, number);
};

test("The files of a build are kept when the next one arrives, once each, and only if their names change with their content", async () => {
  const dataDir = await makeFolder();
  await release(dataDir, 1);
  await release(dataDir, 2);
  expect(await storedFiles(dataDir)).toEqual([
    "assets/page-1.js",
    "assets/page-2.js",
    "pictures/home/1.avif",
  ]);
  expect(await readFile(join(releaseFiles(dataDir), "assets/page-1.js"), "utf8")).toBe("1");
});

test("Six builds are kept, and the files of older ones deleted", async () => {
  const dataDir = await makeFolder();
  for (let number = 1; number <= 7; number += 1) await release(dataDir, number);
  await release(dataDir, 7);
  const pages = [2, 3, 4, 5, 6, 7].map((number) => `assets/page-${number}.js`);
  expect(await storedFiles(dataDir)).toEqual([...pages, "pictures/home/1.avif"]);
});

test("Deploying an older build again makes it the newest", async () => {
  const dataDir = await makeFolder();
  for (let number = 1; number <= 6; number += 1) await release(dataDir, number);
  await storeRelease(dataDir, "b1", await build(1));
  await release(dataDir, 7);
  expect(await storedFiles(dataDir)).toContain("assets/page-1.js");
  expect(await storedFiles(dataDir)).not.toContain("assets/page-2.js");
});

test("An interrupted copy is made again", async () => {
  const dataDir = await makeFolder({ "releases/files/assets/page-1.js.part": "" });
  await release(dataDir, 1);
  expect(await storedFiles(dataDir)).toEqual(["assets/page-1.js", "pictures/home/1.avif"]);
});

test("Processes that share the folder can keep the same build and another one at the same time, and every file is complete", async () => {
  const dataDir = await makeFolder();
  const text = "a line of code\n".repeat(50_000);
  const files = (name: string) =>
    Object.fromEntries([1, 2, 3, 4].map((number) => [`assets/${name}-${number}.js`, text]));
  const [one, other] = [await makeFolder(files("one")), await makeFolder(files("other"))];
  await Promise.all(
    [one, other, one, other, one, other].map((client) =>
      storeRelease(dataDir, client === one ? "one" : "other", client),
    ),
  );
  expect(await storedFiles(dataDir)).toEqual(Object.keys({ ...files("one"), ...files("other") }).sort());
  for (const name of await storedFiles(dataDir))
    expect((await readFile(join(releaseFiles(dataDir), name), "utf8")).length).toBe(text.length);
  expect((await readdir(join(dataDir, "releases"))).sort()).toEqual(["files", "one.json", "other.json"]);
});

test("On a nearly full disk the space is left to the database", async () => {
  const dataDir = await makeFolder();
  const full = storeRelease(dataDir, "b1", await build(1), async () => 255 * 1024 * 1024);
  await expect(full).rejects.toThrow("the disk is nearly full");
  expect(await storedFiles(dataDir)).toEqual([]);
});
