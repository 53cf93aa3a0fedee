import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { reasonOf, watchDisk } from "./disk-full.ts";

test.each([
  [{ code: "53100" }, "the database's disk is full (53100)"],
  [{ code: "ENOSPC" }, "the disk is full (ENOSPC)"],
  [{ code: "EDQUOT" }, "the disk is full (EDQUOT)"],
  [{ code: "EIO", name: "Error" }, "EIO"],
  [new TypeError("Ama Mensah"), "TypeError"],
  [null, "unknown"],
])(
  "reasonOf() says in words that the disk is full, and has the code or name of all else: %j",
  (thrown, reason) => {
    expect(reasonOf(thrown)).toBe(reason);
  },
);

test("looks at most every five seconds whether the disk has room, and logs once when it is full and when there is room", async () => {
  const state = { code: null as string | null, now: 0, writes: 0 };
  const lines: string[] = [];
  const { hasRoom, stop } = watchDisk("/srv/shop", (line) => void lines.push(line), {
    now: () => state.now,
    write: async () => {
      state.writes += 1;
      if (state.code) throw Object.assign(new Error("failed"), { code: state.code });
    },
  });
  onTestFinished(stop);
  const after = (milliseconds: number, code: string | null) => {
    state.now += milliseconds;
    state.code = code;
    return hasRoom();
  };
  expect(await Promise.all([hasRoom(), hasRoom()])).toEqual([true, true]);
  expect([await after(4_999, "ENOSPC"), state.writes]).toEqual([true, 1]);
  expect([await after(1, "ENOSPC"), state.writes]).toEqual([false, 2]);
  expect(await after(5_000, "ENOSPC")).toBe(false);
  expect(lines).toEqual([
    "the disk of /srv/shop is full: orders, sign-ins and backups fail until there is room. Delete what is not needed or enlarge it; the shop continues by itself",
  ]);
  expect(await after(5_000, null)).toBe(true);
  expect(lines.slice(1)).toEqual(["the disk of /srv/shop has room again"]);
  // Another failure says nothing about the disk.
  expect(await after(5_000, "EACCES")).toBe(true);
  expect(lines).toHaveLength(2);
});

test("leaves no file behind after it has looked whether the disk has room", async () => {
  const folder = await mkdtemp(join(tmpdir(), "disk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { hasRoom, stop } = watchDisk(folder, () => {});
  expect(await hasRoom()).toBe(true);
  await stop();
  expect(await readdir(folder)).toEqual([]);
});

test("looks by itself, without a request, and no longer once it is stopped", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const state = { now: 0 };
  const write = vi.fn(async () => {});
  const { hasRoom, stop } = watchDisk("/srv/shop", () => {}, { now: () => state.now, write });
  vi.advanceTimersByTime(10_000);
  expect(write).toHaveBeenCalledTimes(1);
  await stop();
  state.now += 60_000;
  vi.advanceTimersByTime(60_000);
  expect(await hasRoom()).toBe(true);
  expect(write).toHaveBeenCalledTimes(1);
});
