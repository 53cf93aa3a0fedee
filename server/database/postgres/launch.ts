import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import type { LockedFile } from "../../lib/kernel-lock.ts";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";

/** A PostgreSQL program with its arguments, and the user who runs it. */
export type Program = {
  binaries: Binaries;
  account: Account | null;
  /** Must be reachable even below folders that the account may not enter. */
  dataDir: string;
  command: string;
  args: string[];
};

/**
 * Gives a process that is not root access to two folders at their own paths, although it may not enter the folders
 * above them: in its own mount namespace, empty folders that contain only these two cover those.
 * $1 and $2 are the two, then come the closed ones up to "--", then the command.
 */
const uncover = `
set -e
first=$1 second=$2; shift 2
mount -t tmpfs -o mode=755 shop /mnt
mkdir /mnt/first /mnt/second
mount --bind "$first" /mnt/first
mount --bind "$second" /mnt/second
while [ "$1" != -- ]; do mount -t tmpfs -o mode=755 shop "$1"; shift; done
shift
umask 022
mkdir -p "$first" "$second"
mount --bind /mnt/first "$first"
mount --bind /mnt/second "$second"
exec "$@"`;

const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path)) ?? null;

/** Runs as the account, in a mount namespace in which its folders can be reached. */
function uncovered({ binaries, account, dataDir, command, args }: Program, before: string[]): string[] {
  if (!account || account.hidden.length === 0) return [...before, command, ...args];
  const drop = [`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  const rest =
    before[0] === setpriv ? [...before.slice(0, 1), ...drop, ...before.slice(1)] : ["setpriv", ...drop];
  return [
    "unshare",
    "--mount",
    "/bin/sh",
    "-c",
    uncover,
    "sh",
    binaries.home,
    dataDir,
    ...account.hidden,
    "--",
    ...rest,
    command,
    ...args,
  ];
}

/** As little of our environment as PostgreSQL needs. */
function environment({ libraryPath }: Binaries): NodeJS.ProcessEnv {
  const { PATH = "/usr/bin:/bin", SYSTEMROOT, TZ } = process.env;
  const libraries = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return {
    PATH: [PATH, "/usr/sbin", "/sbin"].join(delimiter),
    LC_ALL: "C",
    ...(SYSTEMROOT ? { SYSTEMROOT } : {}),
    ...(TZ ? { TZ } : {}),
    ...(libraryPath ? { [libraries]: libraryPath } : {}),
  };
}

function start(
  words: string[],
  { binaries, account }: Program,
  stdin: "pipe" | "ignore",
  inherited: number | null = null,
  lifeline: number | null = null,
): ChildProcess {
  const [command = "", ...args] = words;
  const options: SpawnOptions = {
    cwd: "/",
    env: environment(binaries),
    stdio: [stdin, "pipe", "pipe", inherited ?? "ignore", "ignore", lifeline ?? "ignore"],
    windowsHide: true,
    ...(account && account.hidden.length === 0 ? { uid: account.uid, gid: account.gid } : {}),
  };
  // In a session of its own: Ctrl+C reaches the whole process group, and the database must outlive the requests.
  return spawn(command, args, { ...options, detached: process.platform !== "win32" });
}

/** Runs a program to its end; returns its exit code and all its output. */
export async function runProgram(program: Program): Promise<{ code: number | null; printed: string }> {
  const child = start(uncovered(program, []), program, "ignore");
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      printed += error.message;
      resolve(null);
    });
    child.once("close", resolve);
  });
  return { code, printed };
}

/**
 * Watches the server and shuts it down when the backend says so, with a line at file descriptor 0, or ends for any reason: that
 * pipe then closes. Under a process that starts the backend again, the server waits for the next one: descriptor 5 closes once no
 * process of the shop is left. If this is killed too, the kernel signals the server (setpriv's --pdeathsig, where available). File
 * descriptor 3 is the database's lock, which every process of the server inherits.
 */
const guardian = `
exec 4<&0
"$@" </dev/null 4<&- 5<&- &
server=$!
trap '' INT TERM HUP PIPE
( read -r _ <&4 || read -r _ <&5; kill -INT "$server" ) 2>/dev/null &
watcher=$!
wait "$server"; code=$?
kill -KILL "$watcher" 2>/dev/null
exit "$code"`;

/** The descriptor that the process which watches the shop gives to it (supervisor.js). */
const lifelineOf = ({ SHOP_LIFELINE }: NodeJS.ProcessEnv) => (SHOP_LIFELINE ? Number(SHOP_LIFELINE) : null);

/**
 * Starts the server under its guardian; it stops when the child's stdin gets a line or closes, and holds the lock until its
 * last process ends.
 */
export function startGuarded(program: Program, { fd }: LockedFile): ChildProcess {
  if (process.platform === "win32") {
    const script = fileURLToPath(new URL("./guardian-windows.ts", import.meta.url));
    return start(
      [process.execPath, script, program.binaries.pgCtl, program.command, ...program.args],
      program,
      "pipe",
    );
  }
  const before = setpriv && process.platform === "linux" ? [setpriv, "--pdeathsig", "INT"] : [];
  const words = ["/bin/sh", "-c", guardian, "sh", ...uncovered(program, before)];
  return start(words, program, "pipe", fd, lifelineOf(process.env));
}
