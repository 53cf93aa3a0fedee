/*
 * The library prints every failed statement with its values, which are people's addresses and phones. Nothing that
 * it prints may leave this process: of an error only its SQLSTATE and constraint are told.
 */

/** Begins every line that the web process passes on to its own output. */
export const tellingPrefix = "backend: ";

/** Prints one line of our own making. Never give it anything that a request brought. */
export function tell(line: string): void {
  process.stderr.write(`${tellingPrefix}${line.replaceAll(/\s+/g, " ")}\n`);
}

type DatabaseError = { code?: unknown; constraint?: unknown; constraint_name?: unknown };

const word = (value: unknown) =>
  typeof value === "string" && /^[A-Za-z0-9_]{1,63}$/.test(value) ? value : null;

/** What may be told of a database's error; null for anything else. */
export function describeError(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const error = value as DatabaseError;
  const code = word(error.code);
  if (!code) return null;
  const constraint = word(error.constraint) ?? word(error.constraint_name);
  return ["a statement failed:", code, constraint && `(${constraint})`].filter(Boolean).join(" ");
}

/** Own rules (PT4xx), rights and constraints refuse requests all day; only what is unexpected is worth a line. */
const expected = /^(PT4\d\d|PGRST\w*|42P01|42883|42703|23\d\d\d|42501|22\w{3}|P0001|40P01|40001)$/;

/** From here on the console prints nothing of what it is given. */
export function quietConsole(): void {
  const report = (...values: unknown[]) => {
    for (const value of values) {
      const line = describeError(value);
      if (line && !expected.test(String((value as DatabaseError).code))) tell(line);
    }
  };
  console.error = report;
  console.warn = () => {};
  console.info = () => {};
  console.log = () => {};
  console.debug = () => {};
  process.removeAllListeners("warning");
}
