import { StartError } from "../shared/start-error.ts";
import { assemble, type Closing } from "./assemble.ts";
import { log } from "./backend-log.ts";
import { isWriteToLostConnection } from "./driver-fault.ts";
import type { Answer, OpenMessage } from "./protocol.ts";

/*
 * The embedded backend's own process: it gets the settings from the web process, opens the database, and serves
 * HTTP on a Unix socket until the web process says stop, or ends.
 */

const closings: Closing[] = [];
let ending: Promise<void> | null = null;

/** Releases everything in reverse order; requests under way are answered first. */
function end(code: number, line?: string): Promise<void> {
  ending ??= (async () => {
    if (line) log(line);
    setTimeout(() => process.exit(code || 1), 10_000).unref();
    for (const close of closings.reverse()) await close().catch(() => {});
    process.exit(code);
  })();
  return ending;
}

process.on("disconnect", () => void end(0)); // The web process stopped us, or has ended.
process.on("SIGTERM", () => {}); // A signal to the whole group: the web process stops first, then says so.
process.on("SIGINT", () => {});
process.once("message", async (message: OpenMessage) => {
  try {
    process.send?.(await assemble(message.settings, closings, end));
  } catch (error) {
    const reason =
      error instanceof StartError
        ? error.message
        : `The backend cannot start: ${(error as Error).message?.split("\n")[0] ?? "unknown reason"}`;
    process.send?.({ type: "failed", reason } satisfies Answer, () => void end(1));
  }
});
process.on("uncaughtException", (error) => {
  if (!isWriteToLostConnection(error)) void end(1, `unexpected ${error.name}; starting again`);
});
