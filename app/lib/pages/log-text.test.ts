import { expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { logText } from "./log-text.ts";

test("An ordinary path is logged unchanged", () => {
  expect(logText("/products/schofield-&-sims/Ɔkyeame")).toBe("/products/schofield-&-sims/Ɔkyeame");
});

test("A path cannot start a new line, colour the terminal or change the text direction", () => {
  expect(logText("/a\nbackend: stopped\r\u2028b")).toBe("/a\\u{a}backend: stopped\\u{d}\\u{2028}b");
  expect(logText("/\u001b[31mred")).toBe("/\\u{1b}[31mred");
  expect(logText("/\u202egnp.exe\u200b")).toBe("/\\u{202e}gnp.exe\\u{200b}");
});

test("A path of more than 200 characters is cut off with an ellipsis", () => {
  expect(logText("a".repeat(200))).toBe("a".repeat(200));
  expect(logText("a".repeat(201))).toBe(`${"a".repeat(200)}…`);
});

test("An escape that a visitor typed differs from one of ours", () => {
  expect(logText("/\\u{a}")).toBe("/\\u{5c}u{a}");
});

test("Any text is logged as one printable line of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const line = logText(text);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(line.length).toBeLessThanOrEqual(200 * 10 + 1);
    }),
  );
});
