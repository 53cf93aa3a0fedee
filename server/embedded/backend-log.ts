import { currentRequestId } from "../shared/request-id.ts";

/*
 * Nothing that a dependency prints may leave this process: it could contain addresses and phone numbers. The web process passes on
 * only lines with this prefix.
 */
export const backendLinePrefix = "backend: ";

/** Logs one line of our own. Never pass it anything from a request. */
export function log(line: string): void {
  const id = currentRequestId();
  const request = id ? ` (request ${id})` : "";
  process.stderr.write(`${backendLinePrefix}${line.replaceAll(/\s+/g, " ")}${request}\n`);
}
