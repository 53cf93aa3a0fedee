import { Refusal } from "../../lib/refusal.ts";

/** Of the pieces of digital titles' files. */
export const piecesBucket = "digital-files";

/** Bytes at an offset of a file. */
const has = (content: Uint8Array, at: number, text: string) =>
  Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(
    "latin1",
    at,
    at + text.length,
  ) === text;

/** A box of ISO media (ISO 14496-12) comes first, and names the file's brand. */
const isMedia = (content: Uint8Array) => has(content, 4, "ftyp") && content.byteLength >= 16;
/** A local file, or the end of an archive without any. */
const isZip = (content: Uint8Array) => has(content, 0, "PK\x03\x04") || has(content, 0, "PK\x05\x06");

/** An MPEG layer III frame's header: eleven bits set, a version, a layer, a bit rate and a sampling rate that exist. */
function isFrame(content: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = content;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return (
    first === 0xff &&
    second >> 5 === 7 &&
    version !== 1 &&
    layer === 1 &&
    third >> 4 !== 15 &&
    ((third >> 2) & 3) !== 3
  );
}

/** Checks the first bytes for each type (private.digital_types). */
const beginnings: Readonly<Record<string, (content: Uint8Array) => boolean>> = {
  "application/pdf": (content) => has(content, 0, "%PDF-"),
  // Its first entry says what it is, uncompressed (EPUB 3.3, OCF 4.2).
  "application/epub+zip": (content) => isZip(content) && has(content, 30, "mimetypeapplication/epub+zip"),
  "application/zip": isZip,
  "audio/mpeg": (content) => has(content, 0, "ID3") || isFrame(content),
  "audio/mp4": isMedia,
  "video/mp4": isMedia,
};

/**
 * Checks the first piece of a digital title's file, because clients can claim any type.
 * @throws Refusal
 */
export function checkPiece(name: string, type: string, content: Uint8Array): void {
  if (!name.endsWith("/0001")) return;
  if (!beginnings[type]?.(content))
    throw new Refusal(
      415,
      "invalid_mime_type",
      `This file's content doesn't match its type (${type.slice(0, 60)})`,
    );
}
