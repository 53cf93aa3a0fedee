import { Refusal } from "../../lib/refusal.ts";

/** Covers are shown at most 1,200 pixels wide; a small file that unpacks to gigabytes stops browsers. */
const maxSide = 4_000;
/** Progressive pictures have about ten; each makes a browser go through the whole picture again. */
const maxScans = 100;
/** With a colour profile and a camera's notes in pieces of 64 KB a large picture has about a hundred. */
const maxSegments = 1_000;

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
/** Start of a frame in the three ways that browsers decode: baseline, extended, progressive. */
const frames = [0xc0, 0xc1, 0xc2];
const [DHT, SOS, DQT, DRI, APP0, APP1, APP2, APP14] = [0xc4, 0xda, 0xdb, 0xdd, 0xe0, 0xe1, 0xe2, 0xee];
/** Reserved markers, other ways of coding a picture, markers of a scan outside it, and those that change the size later. */
const isUnsupported = (marker: number) =>
  marker < 0xc0 || (marker >= 0xc3 && marker <= 0xdf && ![DHT, SOS, DQT, DRI].includes(marker));

const notAPicture = () =>
  new Refusal(415, "invalid_mime_type", "This file is not a JPEG picture that can be read");
const tooLarge = () =>
  new Refusal(413, "Payload too large", `This picture is larger than ${maxSide} × ${maxSide} pixels`);

/**
 * A JPEG picture without what is not needed to show it: where and when it was taken (EXIF, XMP, IPTC), thumbnails,
 * comments, and anything after its end. Its pixels, colour profile and orientation stay as they are.
 * Source: ITU-T T.81, annex B.
 * @throws Refusal when it isn't such a picture, or is too large to be shown
 */
export function cleanJpeg(content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!bytes.subarray(0, 2).equals(SOI)) throw notAPicture();
  const parts: Uint8Array[] = [SOI];
  let hasFrame = false;
  let scans = 0;
  let at = 2;
  for (let segments = 0; ; segments += 1) {
    // A marker may have more than one 0xff before it.
    const fill = at;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    if (at === fill || marker === undefined || segments > maxSegments) throw notAPicture();
    if (marker === EOI[1]) break;
    const length = at + 3 <= bytes.length ? bytes.readUInt16BE(at + 1) : 0;
    const segment = bytes.subarray(at + 1, at + 1 + length);
    if (length < 2 || segment.length < length || isUnsupported(marker)) throw notAPicture();
    const end = at + 1 + length;
    if (frames.includes(marker)) {
      if (hasFrame) throw notAPicture();
      checkFrame(segment);
      hasFrame = true;
    }
    at = end;
    if (marker === SOS) {
      scans += 1;
      if (!hasFrame || scans > maxScans) throw notAPicture();
      at = endOfScan(bytes, end);
    }
    const needed = neededPart(marker, segment);
    if (needed) parts.push(Buffer.from([0xff, marker]), needed, bytes.subarray(end, at));
  }
  if (scans === 0) throw notAPicture();
  return Buffer.concat([...parts, EOI]);
}

/** Length, precision, height, width, number of components. */
function checkFrame(segment: Buffer): void {
  if (segment.length < 8 || segment[2] !== 8) throw notAPicture();
  const [height, width] = [segment.readUInt16BE(3), segment.readUInt16BE(5)];
  if (height === 0 || width === 0) throw notAPicture();
  if (height > maxSide || width > maxSide) throw tooLarge();
}

/** Where the next marker begins: in a scan, 0xff is followed by 0 or by the number of a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw notAPicture();
}

/** The part of a segment without which the picture would look different, or null. */
function neededPart(marker: number, segment: Buffer): Uint8Array | null {
  const name = (text: string) => segment.toString("latin1", 2, 2 + text.length) === text;
  if ([...frames, DHT, SOS, DQT, DRI].includes(marker)) return segment;
  // Longer with a thumbnail.
  if (marker === APP0) return name("JFIF\0") && segment.length === 16 ? segment : null;
  if (marker === APP1) return name("Exif\0\0") ? exifOf(orientationOf(segment.subarray(8))) : null;
  if (marker === APP2) return name("ICC_PROFILE\0") ? segment : null;
  return marker === APP14 && name("Adobe") ? segment : null;
}

const ORIENTATION = 0x0112;

/** From 1, upright, to 8. Source: Exif 2.32, a TIFF header and its first directory. */
function orientationOf(tiff: Buffer): number {
  const little = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) =>
    at + 2 <= tiff.length ? (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0;
  if (tiff.length < 8) return 1;
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < Math.min(short(directory), 100); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (short(at) === ORIENTATION) return short(at + 8);
  }
  return 1;
}

/** A segment that says nothing but the orientation; null when the picture is upright. */
function exifOf(orientation: number): Uint8Array | null {
  if (orientation < 2 || orientation > 8) return null;
  const header = Buffer.from("\0\x22Exif\0\0MM\0\x2a\0\0\0\x08", "latin1");
  return Buffer.concat([
    header,
    Buffer.from([0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
  ]);
}
