import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const sources = globSync("app/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
const filesWith = (pattern: RegExp) =>
  sources.filter(({ source }) => pattern.test(source)).map(({ file }) => file);

describe("a failed backend call", () => {
  it("is of one class, made where the backend's responses are read", () => {
    expect(filesWith(/class \w*Failure\b/)).toEqual(["app/lib/backend-failure.ts"]);
    expect(filesWith(/new BackendFailure\(/)).toEqual(["app/lib/backend-response.ts"]);
    expect(filesWith(/\.throwOnError\(|if \(error\) throw error/)).toEqual([]);
  });

  it("is retried by one rule, the only place that lists the statuses", () => {
    expect(filesWith(/\b50[24]\b|status >= /)).toEqual(["app/lib/retry-rule.ts"]);
    expect(filesWith(/status === (0|429)\b/).sort()).toEqual([
      "app/lib/backend-failure.ts",
      "app/lib/backend-response.ts",
    ]);
  });
});
