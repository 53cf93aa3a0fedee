import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { refuseFullDisk } from "./disk-space.ts";

test("A disk as good as full is told at the start in one line, with how much is needed", async () => {
  await expect(refuseFullDisk("/data", async () => 1_000_000)).rejects.toThrow(
    "The disk of /data is full: 0 MB are free, 48 MB are needed",
  );
  await expect(refuseFullDisk(tmpdir(), async () => 100_000_000)).resolves.toBeUndefined();
  await expect(refuseFullDisk(tmpdir())).resolves.toBeUndefined();
});
