import { expect, test } from "vitest";
import { decodeText } from "./decode-text.ts";

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const swapped = (text: string) => utf16(text).swap16();
const decode = (bytes: Buffer) => Object.values(decodeText(new Uint8Array(bytes)));

test.each([
  ["little-endian", utf16],
  ["big-endian", swapped],
])(
  "UTF-16 is read in its %s order: by a byte order mark with any letters, without one by Latin letters",
  (_, write) => {
    expect(decode(write("\uFEFF中文书名"))).toEqual(["中文书名", "UTF-16"]);
    expect(decode(write("\uFEFF"))).toEqual(["", "UTF-16"]);
    expect(decode(write("Maths, 5"))).toEqual(["Maths, 5", "UTF-16"]);
    expect(decode(write("a中b文"))).toEqual(["a中b文", "UTF-16"]);
  },
);

test.each(["ÿa", "aþ", "þa", "aÿ", "ÿÿ", "þþ"])(
  "%j is not a byte order mark but two Windows-1252 letters",
  (letters) => {
    expect(decode(Buffer.from(letters, "latin1"))).toEqual([letters, "Windows-1252"]);
  },
);

test("Fewer zeros than a quarter are not UTF-16", () => {
  expect(decode(Buffer.from("abc\0d"))).toEqual(["abc\0d", "UTF-8"]);
});

test("UTF-8 is read with and without a byte order mark", () => {
  for (const text of ["Ɔba ₵5", "\uFEFFƆba ₵5"])
    expect(decode(Buffer.from(text))).toEqual(["Ɔba ₵5", "UTF-8"]);
});

test.each(["\n", "\r", "\r\n"])(
  "Lines of both encodings that end in %j keep their letters, even the last one",
  (end) => {
    const bytes = Buffer.concat([
      ...[Buffer.from(`Ɔba ₵5${end}`), Buffer.from(`Été${end}`, "latin1"), Buffer.from("Ɛna")],
    ]);
    expect(decode(bytes)).toEqual([`Ɔba ₵5${end}Été${end}Ɛna`, "Windows-1252"]);
  },
);
