import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buffersFor, readBuffers } from "./buffers.ts";

const MB = 2 ** 20;
const GB = 2 ** 30;

test.each([
  ["a new database", 25 * MB, 8 * GB, "32MB"],
  ["10,000 books", 60 * MB, 8 * GB, "32MB"],
  ["1,000,000 books", 2_200 * MB, 24 * GB, "1100MB"],
  ["1,000,000 books on a small machine", 2_200 * MB, GB, "128MB"],
  ["10,000 books on a tiny machine", 60 * MB, 128 * MB, "32MB"],
])("the buffers for %s", (_name, database, memory, expected) => {
  expect(buffersFor(database, memory)).toBe(expected);
});

test("the buffers follow the size of the files in the folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "buffers-"));
  try {
    expect(await readBuffers(folder)).toBe("32MB");
    await mkdir(join(folder, "base/5"), { recursive: true });
    for (const name of ["16384", "16385"]) {
      await writeFile(join(folder, "base/5", name), "");
      await truncate(join(folder, "base/5", name), 50 * MB);
    }
    expect(await readBuffers(folder)).toBe("50MB");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
