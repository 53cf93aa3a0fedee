import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/*
 * A disk that loses its power: an ext4 file system in a file, on a loop device. Cutting is ext4's own shutdown without a
 * flush (EXT4_IOC_SHUTDOWN with NOLOGFLUSH): from then on nothing is written, not even what the file system holds in
 * memory, and what programs flushed before is all that the next mount finds.
 */

/** `_IOR('X', 125, __u32)` and its flag for "do not flush the journal"; waits for a word, so that the cut comes when it is wanted. */
const cutProgram = `
import fcntl, os, struct, sys
print("ready", flush=True)
sys.stdin.readline()
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack("I", 2))`;

/** @returns the function that cuts */
async function armCut(folder: string): Promise<() => Promise<void>> {
  const child = spawn("python3", ["-c", cutProgram, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  await Promise.race([once(child.stdout, "data"), ended]);
  return async () => {
    child.stdin.end("\n");
    const code = await ended;
    if (code !== 0) throw new Error(`The power cannot be cut (code ${code})`);
  };
}

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });

export type PowerDisk = {
  /** Where the disk is mounted. */
  folder: string;
  /** Makes a folder on it that survives, if it is not there. */
  makeFolder: (name: string) => void;
  /** Cuts the power: what was not flushed is lost. Processes that use the disk get errors until they end. */
  cut: () => Promise<void>;
  /** The power is back; every process of before must have ended. */
  restore: () => Promise<void>;
  remove: () => Promise<void>;
};

const releaseMs = 20_000;

/** Unmounts the disk once the processes that were killed have ended. */
async function unmountWhenFree(folder: string): Promise<void> {
  const until = Date.now() + releaseMs;
  for (;;) {
    try {
      run("umount", folder);
      return;
    } catch (error) {
      if (Date.now() > until || !String(error).includes("busy")) throw error;
      await pause(20);
    }
  }
}

/**
 * Waits until the kernel has let go of an unmounted disk. A process that still sees it keeps it as it is, and mounting it
 * again would show the dead disk instead of what is in the file.
 */
async function untilReleased(image: string): Promise<void> {
  const until = Date.now() + releaseMs;
  while (run("losetup", "--associated", image) !== "") {
    if (Date.now() > until)
      throw new Error(`The disk was not released within ${releaseMs / 1000} s: a process still uses it`);
    await pause(20);
  }
}

/** A disk of this many megabytes whose power can be cut. Must run in a view of its own (see runWithPowerDisk). */
export async function makePowerDisk(megabytes: number): Promise<PowerDisk> {
  const place = await mkdtemp(join(tmpdir(), "shop-power-"));
  const image = join(place, "disk.img");
  const folder = join(place, "disk");
  const mount = () => run("mount", "-o", "loop", image, folder);
  run("truncate", "-s", `${megabytes}M`, image);
  run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0", image);
  run("mkdir", "-m", "700", folder);
  mount();
  let cut = await armCut(folder);
  return {
    folder,
    makeFolder: (name) => {
      run("mkdir", "-p", join(folder, name));
      run("sync", "-f", folder);
    },
    cut: () => cut(),
    restore: async () => {
      await unmountWhenFree(folder);
      await untilReleased(image);
      mount();
      cut = await armCut(folder);
    },
    remove: async () => {
      await cut().catch(() => {}); // It may have been cut already.
      run("umount", "--lazy", folder);
      await rm(place, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a script with a view of the file system of its own. Shops that run as root give their database such a view as well, a
 * copy of what is mounted at that moment: a disk that all could see would be kept by every shop that happened to start.
 * @param onLine gets what the script writes to its standard error
 * @returns what it writes to its standard output
 */
export function runWithPowerDisk(
  script: string,
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<string> {
  const child = spawn("unshare", ["--mount", process.execPath, script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const lines: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${lines.slice(-30).join("\n")}\n(code ${code})`));
    });
  });
}

/** Why no power can be cut here, or null. */
export async function findPowerProblem(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "only root may mount a disk";
  return runWithPowerDisk(import.meta.filename, []).then(
    () => null,
    (error: Error) => `no disk can be mounted and cut off: ${error.message.split("\n")[0]}`,
  );
}

if (import.meta.main) {
  const disk = await makePowerDisk(16);
  await disk.cut();
  await disk.restore();
  await disk.remove();
}
