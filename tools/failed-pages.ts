import { globSync, readFileSync } from "node:fs";

/** Enough to see which state a page was in: an accessibility tree has a line an element. */
const MOST_LINES = 60;

/** What the pages of failed browser tests showed, as Playwright wrote it down: a log is often all that is left of a run. */
export function describeFailedPages(folder: string): string {
  return globSync("*/error-context.md", { cwd: folder })
    .map((file) => {
      const lines = readFileSync(`${folder}/${file}`, "utf8").split("\n");
      const start = lines.indexOf("```yaml");
      return start < 0 ? "" : [file, ...lines.slice(start + 1, start + 1 + MOST_LINES)].join("\n");
    })
    .join("\n");
}
