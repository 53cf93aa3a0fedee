import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes on the disk, as `du` counts them: a file with two names once. */
function sizeOf(path: string, seen: Set<number>): number {
  const stats = lstatSync(path);
  if (seen.has(stats.ino)) return 0;
  seen.add(stats.ino);
  const inside = stats.isDirectory() ? readdirSync(path) : [];
  return inside.reduce((sum, name) => sum + sizeOf(join(path, name), seen), stats.blocks * 512);
}

/** What node_modules takes, whole and by package, in the MB of `du -sm`. */
export function weighPackages(folder: string): { total: number; biggest: string } {
  const seen = new Set<number>();
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
  );
  const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
  const packages = names.map((name) => ({ name, size: megabytes(sizeOf(join(folder, name), seen)) }));
  const biggest = packages.sort((a, b) => b.size - a.size).slice(0, 12);
  return {
    total: megabytes(sizeOf(folder, new Set())),
    biggest: biggest.map(({ name, size }) => `${size} MB ${name}`).join("\n"),
  };
}
