import { globSync, readFileSync } from "node:fs";

/** Enough to see a page's state: an accessibility tree has one line per element. */
const MAX_LINES = 60;

/**
 * What the pages of failed browser tests showed, as recorded by Playwright: often the log is all that remains of a
 * run.
 */
export function describeFailedPages(folder: string): string {
  return globSync("*/error-context.md", { cwd: folder })
    .map((file) => {
      const lines = readFileSync(`${folder}/${file}`, "utf8").split("\n");
      const start = lines.indexOf("```yaml");
      return start < 0 ? "" : [file, ...lines.slice(start + 1, start + 1 + MAX_LINES)].join("\n");
    })
    .join("\n");
}
