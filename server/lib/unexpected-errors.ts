import { isWriteToLostConnection } from "./driver-fault.ts";
import { log } from "./log.ts";

const endTimeoutMs = 10_000;

/**
 * Has this process end, to be started again, after an error that no code has caught. Only our own words are logged: Node would print
 * the error's, which may name people.
 * @param close finishes pending requests and releases everything
 * @returns ends the process in the same way, with a line for the log
 */
export function endOnUnexpectedErrors(close: () => Promise<void>): (line: string) => void {
  let isEnding = false;
  const fail = (line: string) => {
    if (isEnding) return;
    isEnding = true;
    log.error(line);
    setTimeout(() => process.exit(1), endTimeoutMs);
    void close().finally(() => process.exit(1));
  };
  process.on("uncaughtException", (error) => {
    if (!isWriteToLostConnection(error)) fail(`unexpected ${error.name}; starting again`);
  });
  process.removeAllListeners("warning");
  process.on("warning", ({ name, code }: NodeJS.ErrnoException) => log.warn("Node warns", { name, code }));
  return fail;
}
