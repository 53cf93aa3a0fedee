import sharp, { type JpegOptions } from "sharp";
import { expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { Refusal } from "../../lib/refusal.ts";
import { cleanJpeg } from "./jpeg.ts";

/** A gradient, so that every pixel counts. */
function picture({ width = 60, height = 80 } = {}) {
  const raw = Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => (i * 7 + (i >> 4)) % 256));
  return sharp(raw, { raw: { width, height, channels: 3 } });
}

const jpegWith = (options: JpegOptions = {}) => picture().jpeg(options).toBuffer();

/** A phone's photo: where, when and by which camera it was taken, turned on its side. */
const photo = () =>
  picture()
    .withExif({
      IFD0: { Make: "Tecno Spark", Copyright: "Ama Mensah" },
      IFD2: { DateTimeOriginal: "2026:11:23 10:00:00" },
      IFD3: { GPSLatitude: "5/1 33/1 21/1", GPSLongitude: "0/1 11/1 48/1" },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><where>Cantonments</where></x:xmpmeta>')
    .withIccProfile("srgb")
    .jpeg()
    .toBuffer();

const pixelsOf = (jpeg: Uint8Array) => sharp(jpeg).raw().toBuffer();
/** One segment: marker, length, content. */
const segment = (marker: number, content: Buffer | string) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(content) + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, Buffer.from(content)]);
};
/** The picture with a segment before its others. */
const withSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
/** The first segment of a kind, with its marker. */
function findSegment(jpeg: Buffer, marker: number): Buffer {
  const at = jpeg.indexOf(Buffer.from([0xff, marker]));
  return jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2));
}
const refusal = (status: number) => expect.objectContaining({ constructor: Refusal, status });

test.each<[string, JpegOptions]>([
  ["baseline", {}],
  ["progressive", { progressive: true }],
  ["without reduced colour", { chromaSubsampling: "4:4:4" }],
  ["with optimised tables", { mozjpeg: true }],
])("a picture that is %s keeps its bytes", async (_, options) => {
  const jpeg = await jpegWith(options);
  expect(Buffer.from(cleanJpeg(jpeg))).toEqual(jpeg);
});

test.each(["b-w", "cmyk"])("a picture in %s keeps its pixels", async (space) => {
  const jpeg = await picture().toColourspace(space).jpeg().toBuffer();
  expect(await pixelsOf(cleanJpeg(jpeg))).toEqual(await pixelsOf(jpeg));
});

test("a photo loses where, when and by whom it was taken, and keeps its pixels and its colour profile", async () => {
  const jpeg = await photo();
  const before = await sharp(jpeg).metadata();
  expect([before.exif, before.xmp, before.icc].map(Boolean)).toEqual([true, true, true]);
  const clean = cleanJpeg(jpeg);
  const after = await sharp(clean).metadata();
  expect([after.exif, after.xmp]).toEqual([undefined, undefined]);
  expect(after.icc).toEqual(before.icc);
  expect(await pixelsOf(clean)).toEqual(await pixelsOf(jpeg));
  for (const secret of ["Tecno", "Mensah", "2026", "Cantonments"])
    expect(Buffer.from(clean).includes(secret)).toBe(false);
});

test.each([2, 3, 6, 8])(
  "a photo stays turned as it was (%i), without the rest of its EXIF",
  async (orientation) => {
    const jpeg = await sharp(await photo())
      .keepExif()
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    const clean = cleanJpeg(jpeg);
    expect((await sharp(clean).metadata()).orientation).toBe(orientation);
    expect(Buffer.from(clean).includes("Mensah")).toBe(false);
    expect(cleanJpeg(clean)).toEqual(clean);
  },
);

test("an orientation is read in both byte orders, and only from 2 to 8", async () => {
  const jpeg = await jpegWith();
  const exif = (order: "II" | "MM", orientation: number) => {
    const tiff = Buffer.alloc(26);
    tiff.write(order);
    const [short, long] =
      order === "II"
        ? [tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)]
        : [tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)];
    short(42, 2);
    long(8, 4);
    short(1, 8);
    short(0x0112, 10);
    short(3, 12);
    long(1, 14);
    short(orientation, 18);
    return segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff]));
  };
  for (const order of ["II", "MM"] as const) {
    const turned = cleanJpeg(withSegments(jpeg, exif(order, 6)));
    expect((await sharp(turned).metadata()).orientation, order).toBe(6);
    for (const upright of [0, 1, 9])
      expect(Buffer.from(cleanJpeg(withSegments(jpeg, exif(order, upright))))).toEqual(jpeg);
  }
  const cut = segment(0xe1, Buffer.from("Exif\0\0MM\0\x2a\0\0\0\x08\0\x05"));
  expect(Buffer.from(cleanJpeg(withSegments(jpeg, cut, segment(0xe1, "Exif\0\0"))))).toEqual(jpeg);
});

test("comments, other programs' notes, thumbnails and what follows the picture are left out", async () => {
  const jpeg = await jpegWith();
  const thumbnail = Buffer.concat([Buffer.from("JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01"), Buffer.alloc(3)]);
  const more = [
    segment(0xfe, "<script>alert(1)</script>"),
    segment(0xe0, thumbnail),
    segment(0xe0, "JFXX\0\x10"),
    segment(0xe2, "MPF\0"),
    segment(0xed, "Photoshop 3.0\0"),
    segment(0xee, "Other"),
    segment(0xf5, ""),
  ];
  const dressed = Buffer.concat([withSegments(jpeg, ...more), Buffer.from("PK\x03\x04<html>")]);
  expect(Buffer.from(cleanJpeg(dressed))).toEqual(jpeg);
});

test("fill bytes before a marker are allowed", async () => {
  const jpeg = await jpegWith();
  const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xff]), jpeg.subarray(2)]);
  expect(Buffer.from(cleanJpeg(filled))).toEqual(jpeg);
});

test.each([
  ["nothing", ""],
  ["a web page", "<!doctype html><script>alert(1)</script>"],
  ["an SVG picture", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["a PNG picture", "\x89PNG\r\n\x1a\n"],
  ["only the beginning", "\xff\xd8"],
  ["a web page with a JPEG's beginning", "\xff\xd8\xff<script>alert(1)</script>"],
  ["no picture between beginning and end", "\xff\xd8\xff\xd9"],
])("refuses %s", (_, text) => {
  expect(() => cleanJpeg(Buffer.from(text, "latin1"))).toThrow(refusal(415));
});

test("refuses a picture that is cut off", async () => {
  const jpeg = await jpegWith({ progressive: true });
  for (let length = 0; length < jpeg.length; length += 1)
    expect(() => cleanJpeg(jpeg.subarray(0, length)), String(length)).toThrow(refusal(415));
});

/** The picture, its frame saying something else. */
function withFrame(jpeg: Buffer, change: (frame: Buffer) => void): Buffer {
  const changed = Buffer.from(jpeg);
  change(findSegment(changed, 0xc0));
  return changed;
}

test("is at most 4,000 pixels wide and high", async () => {
  const jpeg = await jpegWith();
  const sized = (width: number, height: number) =>
    withFrame(jpeg, (frame) => {
      frame.writeUInt16BE(height, 5);
      frame.writeUInt16BE(width, 7);
    });
  expect(cleanJpeg(sized(4_000, 4_000))).toBeInstanceOf(Uint8Array);
  for (const [width, height] of [
    [4_001, 1],
    [1, 4_001],
    [65_000, 65_000],
  ] as const)
    expect(() => cleanJpeg(sized(width, height))).toThrow(refusal(413));
  // A height of 0 is said after the first scan.
  for (const [width, height] of [
    [0, 80],
    [60, 0],
  ] as const)
    expect(() => cleanJpeg(sized(width, height))).toThrow(refusal(415));
});

test("refuses ways of coding that browsers don't show, and a second frame", async () => {
  const jpeg = await jpegWith();
  const frame = findSegment(jpeg, 0xc0);
  for (const marker of [0x00, 0x01, 0xc3, 0xc5, 0xc9, 0xca, 0xcc, 0xcf, 0xd0, 0xd8, 0xdc, 0xde, 0xdf])
    expect(() => cleanJpeg(withSegments(jpeg, segment(marker, "\0\0"))), marker.toString(16)).toThrow(
      refusal(415),
    );
  expect(() => cleanJpeg(withSegments(jpeg, frame))).toThrow(refusal(415));
  expect(() => cleanJpeg(withFrame(jpeg, (bytes) => bytes.writeUInt8(12, 4)))).toThrow(refusal(415));
  expect(() => cleanJpeg(withSegments(jpeg, segment(0xda, "\0")))).toThrow(refusal(415));
});

test("refuses thousands of scans and of segments", async () => {
  const jpeg = await jpegWith();
  const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2);
  const scans = (count: number) =>
    Buffer.concat([jpeg.subarray(0, -2), ...Array(count - 1).fill(scan), jpeg.subarray(-2)]);
  expect(cleanJpeg(scans(100))).toHaveLength(scans(100).length);
  expect(() => cleanJpeg(scans(101))).toThrow(refusal(415));
  const segments = (count: number) => withSegments(jpeg, ...Array(count).fill(segment(0xdd, "")));
  expect(cleanJpeg(segments(900))).toBeInstanceOf(Uint8Array);
  expect(() => cleanJpeg(segments(1_001))).toThrow(refusal(415));
});

test("any other bytes are refused or lead to a picture that stays as it is", async () => {
  const jpeg = await photo();
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(jpeg.length - 1), fc.nat(255)), { maxLength: 4 }), (changes) => {
      const changed = Buffer.from(jpeg);
      for (const [at, byte] of changes) changed[at] = byte;
      let clean: Uint8Array;
      try {
        clean = cleanJpeg(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
        return;
      }
      expect(cleanJpeg(clean)).toEqual(clean);
    }),
    { numRuns: 500 },
  );
});
