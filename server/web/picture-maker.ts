import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

/** In pixels; what is outside this shape is cut off. */
export type PictureSize = { width: number; height: number; format: "webp" | "jpg" };

export type ToPictureProcess = PictureSize & { original: Uint8Array };

export type FromPictureProcess =
  | { type: "made"; content: Uint8Array }
  /** The original is not a picture that can be read. */
  | { type: "unreadable"; reason: string }
  /** This machine has no sharp. */
  | { type: "unavailable" };

/** It ended, or took too long: of the original nothing is known. */
export type MadePicture = FromPictureProcess | { type: "failed"; reason: string };

export type MakePicture = (original: Uint8Array, size: PictureSize) => Promise<MadePicture>;

type Options = {
  script?: string;
  /** Its 60 MB are free again this long after the last picture. */
  idleMs?: number;
  /** A cover takes 0.1 s, on a busy machine ten times as long. */
  timeoutMs?: number;
};

/** Only what Windows needs to start a process; glibc would give each thread a heap of its own. */
const childEnv = () => ({
  ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
  MALLOC_ARENA_MAX: "2",
});

/** Makes one picture at a time, in a process that is started at the first one, and ended once there have been none for a while. */
export function createPictureMaker({
  script = join(import.meta.dirname, "picture-process.ts"),
  idleMs = 10_000,
  timeoutMs = 20_000,
}: Options = {}): MakePicture {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;

  function end(started: ChildProcess): void {
    if (child === started) child = null;
    started.kill("SIGKILL");
  }

  function start(): ChildProcess {
    const started = fork(script, [], {
      env: childEnv(),
      execArgv: ["--max-old-space-size=64", "--max-semi-space-size=1"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.once("exit", () => {
      if (child === started) child = null;
    });
    // The shop can stop without waiting for it; it exits when its channel closes.
    started.unref();
    started.channel?.unref();
    return started;
  }

  const make: MakePicture = (original, size) => {
    clearTimeout(idle);
    child ??= start();
    const worker = child;
    return new Promise((resolve) => {
      const finish = (made: MadePicture) => {
        clearTimeout(timeout);
        worker.off("message", finish).off("exit", onExit).off("error", onError);
        idle = setTimeout(end, idleMs, worker).unref();
        resolve(made);
      };
      const onExit = (code: number | null, signal: string | null) =>
        finish({ type: "failed", reason: `the process that makes it ended (${signal ?? code})` });
      const onError = ({ message }: Error) => finish({ type: "failed", reason: message });
      const timeout = setTimeout(() => {
        end(worker);
        finish({ type: "failed", reason: `it took longer than ${timeoutMs / 1_000} s` });
      }, timeoutMs);
      worker.on("message", finish).once("exit", onExit).once("error", onError);
      worker.send({ original, ...size } satisfies ToPictureProcess, (error) => error && onError(error));
    });
  };

  let last: Promise<unknown> = Promise.resolve();
  return (original, size) => {
    const made = last.then(() => make(original, size));
    last = made;
    return made;
  };
}
