import { expect, test } from "vitest";
import { downloadName } from "./download-name.ts";

test.each([
  ["Reader.pdf", "application/pdf", "Reader.pdf"],
  ["Reader Term 1.PDF", "application/pdf", "Reader Term 1.PDF"],
  ["Songs.m4b", "audio/mp4", "Songs.m4b"],
  // Opened from the disk, it would run as a page or a program.
  ["Reader.html", "application/pdf", "Reader.html.pdf"],
  ["Reader.jar", "application/zip", "Reader.jar.zip"],
  ["Reader", "application/epub+zip", "Reader.epub"],
  ["数学", "application/pdf", "数学.pdf"],
  // A right-to-left override would show it as 'Readerrar.pdf'.
  ["Reader\u202Efdp.jar", "application/zip", "Readerfdp.jar.zip"],
  ["\u2066\u200F\uFEFF.pdf", "application/pdf", "download.pdf"],
  [".pdf", "application/pdf", "download.pdf"],
  [`${"x".repeat(200)}.jar`, "application/zip", `${"x".repeat(200)}.jar.zip`],
])("%j of the type %s is saved as %j", (name, type, expected) => {
  expect(downloadName(name, type)).toBe(expected);
});
