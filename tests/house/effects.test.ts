import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(root, file), "utf8"));

it("The app has fewer than one effect per 1,000 lines", () => {
  const lines = sources.reduce((sum, source) => sum + source.split("\n").length - 1, 0);
  const effects = sources.reduce((sum, source) => sum + source.split(/\buseEffect\(/).length - 1, 0);
  expect(lines).toBeGreaterThan(10_000);
  expect(effects).toBeGreaterThan(0);
  expect((effects / lines) * 1000).toBeLessThan(1);
});
