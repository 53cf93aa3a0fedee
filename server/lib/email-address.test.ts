import { expect, test } from "vitest";
import { plainEmail } from "./email-address.ts";

test("An address has one form: lower case, trimmed, its host in ASCII", () => {
  expect(plainEmail(" Ama.Mensah+books@Example.COM ")).toBe("ama.mensah+books@example.com");
  expect(plainEmail("ama@BÜCHER.example")).toBe("ama@xn--bcher-kva.example");
  expect(plainEmail("ama@xn--bcher-kva.example")).toBe("ama@xn--bcher-kva.example");
  expect(plainEmail("ama@ｓｈｏｐ。example")).toBeNull();
});

test.each([
  "a,x@y.example",
  "<x@y.example>",
  "x(c)@y.example",
  "x@y.example.",
  '"x"@y.example',
  '"x y"@y.example',
  "x@[127.0.0.1]",
  "x@127.0.0.1",
  "x@y.example,z@y.example",
  "x@y.example;z@y.example",
  "x @y.example",
  "x@ y.example",
  "x@y(c).example",
  "x\\@y.example",
  "Ama <x@y.example>",
  "mailto:x@y.example",
  "x@@y.example",
  "x@z@y.example",
  ".x@y.example",
  "x.@y.example",
  "x..x@y.example",
  "x@y..example",
  "x@-y.example",
  "x@localhost",
  "x@y.example\r\nBcc: z@y.example",
  "x\0@y.example",
  "x@y%2eexample",
  "x@y.example#z",
  "x\u200b@y.example",
  "é@y.example",
  "@y.example",
  "x@",
  "",
  `${"x".repeat(65)}@y.example`,
  `x@${"y".repeat(64)}.example`,
])("%j is not a plain address", (typed) => {
  expect(plainEmail(typed)).toBeNull();
});
