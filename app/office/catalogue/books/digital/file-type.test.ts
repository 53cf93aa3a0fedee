import { expect, test } from "vitest";
import { MOST_BYTES, readFileType } from "./file-type.ts";

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const EPUB = `PK\u0003\u0004${"\0".repeat(26)}mimetypeapplication/epub+zip`;
const read = (name: string, head: string, size = 1_000) => readFileType({ name, size }, bytes(head));

test.each([
  ["a.pdf", "%PDF-1.7", "application/pdf"],
  ["A.PDF", "%PDF-1.7", "application/pdf"],
  ["a.epub", EPUB, "application/epub+zip"],
  ["a.zip", "PK\u0003\u0004", "application/zip"],
  ["a.mp3", "ID3\u0004", "audio/mpeg"],
  ["a.mp3", "\u00ff\u00fb\u0090", "audio/mpeg"],
  ["a.m4a", "\0\0\0\u0020ftypM4A ", "audio/mp4"],
  ["a.m4a", "\0\0\0\u0020ftypisom", "audio/mp4"],
  ["a.m4b", "\0\0\0\u0020ftypM4B ", "audio/mp4"],
  ["a.mp4", "\0\0\0\u0020ftypisom", "video/mp4"],
])("%s with the right beginning is accepted", (name, head, type) => {
  expect(read(name, head)).toEqual({ type });
});

test.each([
  ["page.pdf", "<!doctype html>", /not a PDF, EPUB, ZIP/],
  ["program.zip", "MZ\u0090", /not a PDF, EPUB, ZIP/],
  ["letter.docx", "PK\u0003\u0004", /type ZIP. Its name must end in .zip/],
  ["book.zip", "%PDF-1.7", /type PDF. Its name must end in .pdf/],
  ["noending", "%PDF-1.7", /must end in .pdf/],
])("%s is refused with a message", (name, head, problem) => {
  expect(read(name, head).problem).toMatch(problem);
});

test("an empty file and one over 200 MB are refused, whatever their type", () => {
  expect(read("a.pdf", "", 0).problem).toBe("a.pdf is empty.");
  expect(read("a.pdf", "%PDF-1.7", MOST_BYTES)).toEqual({ type: "application/pdf" });
  expect(read("a.pdf", "%PDF-1.7", MOST_BYTES + 1).problem).toBe("a.pdf is larger than 200 MB.");
});
