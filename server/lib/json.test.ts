import { describe, expect, test } from "vitest";
import { parseJson } from "./json.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("The JSON of a request", () => {
  test("is parsed up to 32 levels deep", () => {
    expect(parseJson('{"a": [1, "}]"]}')).toEqual({ a: [1, "}]"] });
    expect(() => parseJson(nested(32))).not.toThrow();
    expect(() => parseJson(nested(33))).toThrow(SyntaxError);
    expect(() => parseJson(`{"a":${nested(60_000)}}`)).toThrow(SyntaxError);
  });

  test("counts levels, not brackets, and none inside strings", () => {
    expect(parseJson(`[${Array(100).fill("[]").join(",")}]`)).toHaveLength(100);
    expect(parseJson(JSON.stringify(`"${"[{".repeat(100)}\\`))).toBe(`"${"[{".repeat(100)}\\`);
  });

  test("counts objects as it counts lists, and only brackets change the level", () => {
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(() => parseJson(objects(32))).not.toThrow();
    expect(() => parseJson(objects(33))).toThrow("The JSON is nested too deep");
    expect(parseJson(`[${Array(100).fill("{}").join(",")}]`)).toHaveLength(100);
    expect(() => parseJson(`[${"1, ".repeat(100)}${nested(33)}]`)).toThrow("The JSON is nested too deep");
  });

  test("is refused when it is cut off", () => {
    expect(() => parseJson('{"a": "b')).toThrow(SyntaxError);
  });
});
