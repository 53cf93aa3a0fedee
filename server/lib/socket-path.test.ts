import { createHash } from "node:crypto";
import { chmod, chown, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  ensureSocketFolder,
  fallbackSocketFolder,
  isTooLong,
  makePrivateFolder,
  socketPath,
} from "./socket-path.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "adwene-socket-path-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function pretendWindows(): void {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
}

const deep = `/srv/${"long-name/".repeat(12)}data`;
const idOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

test("The socket is in the data folder", () => {
  expect(socketPath("/srv/shop/data")).toBe("/srv/shop/data/backend.sock");
});

test("A data folder too deep for a socket gets one elsewhere, always the same and never another folder's", () => {
  expect(Buffer.byteLength(socketPath(deep))).toBeLessThanOrEqual(100);
  expect(socketPath(deep)).toBe(socketPath(deep));
  expect(socketPath(deep)).not.toBe(socketPath(`${deep}2`));
});

test("The other place is the user's own, in the temporary folder, named after the data folder", () => {
  const folder = `${tmpdir()}/shop-${userInfo().uid}-${idOf(deep)}`;
  expect(fallbackSocketFolder(deep)).toBe(folder);
  expect(socketPath(deep)).toBe(`${folder}/s`);
});

test("A path may have 100 bytes, counted as the system counts them", () => {
  expect([isTooLong("a".repeat(100)), isTooLong("a".repeat(101))]).toEqual([false, true]);
  expect([isTooLong("ɔ".repeat(50)), isTooLong("ɔ".repeat(51))]).toEqual([false, true]);
});

test("On Windows it is a named pipe, which needs no folder", async () => {
  pretendWindows();
  expect(socketPath("C:\\shop\\data")).toBe(`\\\\.\\pipe\\shop-${idOf("C:\\shop\\data")}`);
  const folder = await newFolder();
  await ensureSocketFolder(join(folder, "made", "s"), "/srv/data");
  expect(await readdir(folder)).toEqual([]);
});

test("A private folder is created with its parents, for its owner only, and reused the next time", async () => {
  const folder = join(await newFolder(), "above", "private");
  await makePrivateFolder(folder);
  expect(await modeOf(folder)).toBe(0o700);
  await expect(makePrivateFolder(folder)).resolves.toBeUndefined();
});

test.each([0o755, 0o770, 0o702, 0o704, 0o720, 0o740])(
  "A folder that others may list or change, with the rights %o, is refused",
  async (mode) => {
    const folder = await newFolder();
    await chmod(folder, mode);
    await expect(makePrivateFolder(folder)).rejects.toThrow(
      `The folder ${folder} belongs to another user: set TMPDIR or a shorter DATA_DIR`,
    );
  },
);

test("A folder that others may only pass through is private enough", async () => {
  const folder = await newFolder();
  await chmod(folder, 0o711);
  await expect(makePrivateFolder(folder)).resolves.toBeUndefined();
});

test("A link to a folder is refused: its creator chooses where it leads", async () => {
  const folder = await newFolder();
  const link = `${folder}-link`;
  await symlink(folder, link);
  onTestFinished(() => rm(link));
  await expect(makePrivateFolder(link)).rejects.toThrow("belongs to another user");
});

test.runIf(process.getuid?.() === 0)("A folder of another user is refused (needs root)", async () => {
  const folder = await newFolder();
  await chown(folder, 12_345, 12_345);
  await expect(makePrivateFolder(folder)).rejects.toThrow("belongs to another user");
});

test("The socket's folder is created if it is outside the data folder, and nothing inside it", async () => {
  const folder = await newFolder();
  await ensureSocketFolder(join(folder, "data", "sub", "backend.sock"), join(folder, "data"));
  expect(await readdir(folder)).toEqual([]);
  await ensureSocketFolder(join(folder, "elsewhere", "s"), join(folder, "data"));
  expect(await readdir(folder)).toEqual(["elsewhere"]);
  expect(await readdir(join(folder, "elsewhere"))).toEqual([]);
  expect(await modeOf(join(folder, "elsewhere"))).toBe(0o700);
});
