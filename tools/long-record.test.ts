import { expect, test } from "vitest";
import { withRun } from "./long-record.ts";

const page = (rows: string) =>
  `# Page\n\n<!-- long runs -->\n\n| Part | What | Day |\n| --- | --- | --- |\n${rows}\n<!-- end of long runs -->\n\nThe end.\n`;
const run = {
  ...{ name: "million", about: "a million", commit: "abc1234", machine: "2 cores", seed: "7" },
  result: "every budget was kept | yes",
};
const row =
  "| `million` | a million | 2026-11-23 | abc1234 | 2 cores | 7 | every budget was kept \\| yes |\n";

test("The row of a part that never ran is added behind the others", () => {
  const other = "| `torture` | all | never | | | | |\n";
  expect(withRun(page(other), run, "2026-11-23")).toBe(page(other + row));
});

test("The row of a part that ran before is replaced in its place", () => {
  const before =
    "| `million` | a million | 2026-11-01 | 0000000 | 2 cores | 1 | failed |\n| `torture` | all | never | | | | |\n";
  expect(withRun(page(before), run, "2026-11-23")).toBe(
    page(`${row}| \`torture\` | all | never | | | | |\n`),
  );
});

test("A page without its marks is refused", () => {
  expect(() => withRun("# Page", run, "2026-11-23")).toThrow("has lost its marks");
});
