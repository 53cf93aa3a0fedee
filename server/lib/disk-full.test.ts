import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { diskOf, reasonOf, watchDisk } from "./disk-full.ts";

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

test("checks the disk at most every five seconds, and logs once when it is full and once when it has room again", async () => {
  const state = { code: null as string | null, now: 0, writes: 0 };
  const lines: string[] = [];
  const write = async () => {
    state.writes += 1;
    if (state.code) throw Object.assign(new Error("failed"), { code: state.code });
  };
  const { hasRoom, stop } = watchDisk(
    { ...diskOf("/srv/shop"), write },
    (line) => void lines.push(line),
    () => state.now,
  );
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
  // Another failure says nothing about the disk, whichever it was before.
  expect(await after(5_000, "EACCES")).toBe(true);
  expect(lines).toHaveLength(2);
  expect([await after(5_000, "53100"), await after(5_000, "CONNECT_TIMEOUT")]).toEqual([false, false]);
  expect(lines).toHaveLength(3);
});

test("leaves no file on the disk after a check", async () => {
  const folder = await mkdtemp(join(tmpdir(), "disk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { hasRoom, stop } = watchDisk(diskOf(folder), () => {});
  expect(await hasRoom()).toBe(true);
  await stop();
  expect(await readdir(folder)).toEqual([]);
});

test("checks the disk without a request, and no longer once it is stopped", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const state = { now: 0 };
  const write = vi.fn(async () => {});
  const { hasRoom, stop } = watchDisk(
    { ...diskOf("/srv/shop"), write },
    () => {},
    () => state.now,
  );
  vi.advanceTimersByTime(10_000);
  expect(write).toHaveBeenCalledTimes(1);
  await stop();
  state.now += 60_000;
  vi.advanceTimersByTime(60_000);
  expect(await hasRoom()).toBe(true);
  expect(write).toHaveBeenCalledTimes(1);
});

/** A disk that is checked every minute, with its lines of the log. */
function watchSlowly(write: () => Promise<void>) {
  vi.useFakeTimers();
  const lines: string[] = [];
  const disk = { name: "the disk of a server", write, lookEveryMs: 60_000 };
  const { hasRoom, stop } = watchDisk(disk, (line) => void lines.push(line));
  onTestFinished(async () => {
    vi.useRealTimers();
    await stop();
  });
  return { hasRoom, stop, lines };
}

const failure = (code: string) => Object.assign(new Error("failed"), { code });

test("checks a disk with room only at its own interval, and a full one every ten seconds", async () => {
  const write = vi.fn(async () => {});
  const { hasRoom } = watchSlowly(write);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(write).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(write).toHaveBeenCalledTimes(1);
  write.mockRejectedValue(failure("53100"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(write).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(8);
  write.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await hasRoom()).toBe(true);
  expect(write).toHaveBeenCalledTimes(9);
  // A request triggers a check after half the interval.
  await vi.advanceTimersByTimeAsync(29_000);
  write.mockRejectedValue(failure("53100"));
  expect(await hasRoom()).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await hasRoom()).toBe(false);
});

test("starts no second check of a disk while one is running, and still stops within a second", async () => {
  const write = vi.fn(() => new Promise<void>(() => {}));
  const { hasRoom, stop } = watchSlowly(write);
  void hasRoom();
  await vi.advanceTimersByTimeAsync(300_000);
  void hasRoom();
  expect(write).toHaveBeenCalledTimes(1);
  const stopped = vi.fn();
  void stop().then(stopped);
  await vi.advanceTimersByTimeAsync(999);
  expect(stopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(stopped).toHaveBeenCalled();
});

test("logs once that it can't check the disk when the server allows no temporary file of that size", async () => {
  const write = vi.fn(async () => Promise.reject(failure("53400")));
  const { hasRoom, lines } = watchSlowly(write);
  await vi.advanceTimersByTimeAsync(200_000);
  expect(write.mock.calls.length).toBeGreaterThan(1);
  expect(await hasRoom()).toBe(true);
  expect(lines).toEqual([
    "cannot check whether the disk of a server is full: the server's temp_file_limit is too small (53400). Set it to at least 1MB",
  ]);
});
