/*
 * PostgreSQL prints as little as possible (see parameters.ts), but that may still name files, users or values of
 * settings. Only these sentences are passed on.
 */

export const notEnoughMemory = "there is not enough memory";

const patterns: [pattern: RegExp, words: string][] = [
  [/No space left on device|Disk quota exceeded|File too large/, "the disk is full"],
  [/Input\/output error/, "the disk fails"],
  [/Cannot allocate memory|could not map anonymous shared memory/, notEnoughMemory],
  [/Permission denied/, "a file may not be read or written"],
  [/is still in use|already exists|another postmaster/, "another database process uses it"],
  [
    /user with administrative permissions|execution of the PostgreSQL server is not permitted|cannot be run as root/,
    "it may not run as an administrator",
  ],
  [/could not look up effective user/, "the user's id has no name on this machine"],
  [
    /error while loading shared libraries|not found \(required by|no such file or directory/i,
    "its libraries are not there, or do not fit this machine",
  ],
  [
    /incorrect checksum in control file|invalid .*checkpoint|could not locate a valid checkpoint|invalid data in file|is empty|is damaged|database files are incompatible|does not exist|could not open file|could not read file/,
    "its files are damaged",
  ],
];

/** Our explanation of a program's last output before it ended; never its own text. */
export function lastReason(printed: string): string {
  for (const line of printed.trim().split("\n").reverse()) {
    const found = patterns.find(([pattern]) => pattern.test(line));
    if (found) return found[1];
  }
  return "unknown reason";
}
