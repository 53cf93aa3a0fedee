import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { refuseFullDisk } from "./disk-space.ts";

test("An almost full disk is reported on startup in one line, with how much space is needed", async () => {
  await expect(refuseFullDisk("/data", async () => 1_000_000)).rejects.toThrow(
    "The disk of /data is full: 0 MB are free, 48 MB are needed",
  );
  await expect(refuseFullDisk(tmpdir(), async () => 100_000_000)).resolves.toBeUndefined();
  await expect(refuseFullDisk(tmpdir())).resolves.toBeUndefined();
});

test("48 MB is enough, one byte less is not, and free space is given in whole megabytes", async () => {
  const needed = 48 * 1024 * 1024;
  await expect(refuseFullDisk("/data", async () => needed)).resolves.toBeUndefined();
  await expect(refuseFullDisk("/data", async () => needed - 1)).rejects.toThrow("full: 47 MB are free, 48");
});

test.runIf(process.platform === "linux")(
  "A file system that does not report its size does not count as full",
  async () => {
    await expect(refuseFullDisk("/proc")).resolves.toBeUndefined();
  },
);
