import { execFileSync } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Why no disk of a test's own can be mounted here, or null. */
export function findMountProblem(): string | null {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return null;
  } catch {
    return "only root may mount a disk";
  }
}

/** A disk of the given number of megabytes, removed after the test. */
export async function mountSmallDisk(megabytes: number) {
  const place = await mkdtemp(join(tmpdir(), "shop-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "none", place]);
  onTestFinished(async () => {
    execFileSync("umount", ["--lazy", place]);
    await rm(place, { recursive: true });
  });
  const filler = join(place, "filler");
  return {
    folder: join(place, "data"),
    /** Takes all the room there is. */
    fill: async () => {
      const { bavail, bsize } = await statfs(place);
      await writeFile(filler, Buffer.alloc(bavail * bsize));
    },
    empty: () => rm(filler),
  };
}
