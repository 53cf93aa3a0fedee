/** How many tests may pass only when run again before the gate fails for that reason alone. */
export const MAX_UNSTABLE = 5;

const PREFIX = "Unstable: ";

export const unstableLine = (name: string) => `${PREFIX}${name}`;

/** The names of tests that failed and passed when run again, from what Vitest (through the reporter) or Playwright prints. */
export function listUnstable(output: string): string[] {
  const lines = output.split("\n");
  const fromVitest = lines.filter((line) => line.startsWith(PREFIX)).map((line) => line.slice(PREFIX.length));
  const heading = lines.findIndex((line) => /^ {2}\d+ flaky$/.test(line));
  if (heading < 0) return fromVitest;
  const rest = lines.slice(heading + 1);
  const end = rest.findIndex((line) => !line.startsWith("    "));
  return [
    ...fromVitest,
    ...rest.slice(0, end < 0 ? undefined : end).map((line) => line.replace(/[\s─]+$/, "").trim()),
  ];
}
