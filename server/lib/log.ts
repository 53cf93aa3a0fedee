import { format } from "node:util";
import { currentRequestId } from "./request-id.ts";

type Level = "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | undefined>;
type Output = { isTTY?: boolean; write: (text: string) => unknown };

export type Log = Record<Level, (message: string, fields?: Fields) => void>;

/** Characters that could end a line, control a terminal or hide words: text from requests is shown as data. */
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escaped as in JSON. */
const escaped = (text: string) =>
  text.replace(unsafe, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

function readable(message: string, fields: Fields): string {
  const facts = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [message, ...facts.map(([name, value]) => `${name}=${value}`)].join(" ");
}

/**
 * A log that writes one JSON object per line, or plain sentences on a terminal. Our own rather than a library:
 * docs/decisions/0020-a-logger-of-forty-lines.md. Never pass it names, addresses, tokens or a query's values.
 */
export function createLog(info: Output, problems: Output): Log {
  const writer =
    (level: Level, output: Output) =>
    (message: string, fields: Fields = {}) => {
      const line = output.isTTY
        ? readable(message, { request: currentRequestId(), ...fields })
        : JSON.stringify({
            time: new Date().toISOString(),
            level,
            request: currentRequestId(),
            message,
            ...fields,
          });
      output.write(`${escaped(line)}\n`);
    };
  return { info: writer("info", info), warn: writer("warn", problems), error: writer("error", problems) };
}

export const log = createLog(process.stdout, process.stderr);

/** Has the log write what pages and packages print with `console`, so that every line has one format. */
export function logConsole(to: Log = log, target: Console = console): void {
  for (const level of ["info", "warn", "error"] as const)
    target[level] = (...texts: unknown[]) => to[level](format(...texts));
  target.log = target.info;
}
