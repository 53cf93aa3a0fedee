/** Start of image, a frame of one grey pixel, start of scan. */
const head = Buffer.from("ffd8 ffc0000b080001000101011100 ffda0008010100003f00".replaceAll(" ", ""), "hex");
const end = Buffer.from([0xff, 0xd9]);

/** A file with the structure of a JPEG, and these bytes where its pixels would be: the shop stores it as it is. */
export function jpegOf(content: string | Uint8Array): Buffer<ArrayBuffer> {
  const scan = Buffer.from(content as string)
    .toString("latin1")
    .replaceAll("\xff", "\xff\0");
  return Buffer.concat([head, Buffer.from(scan, "latin1"), end]);
}

/** The same with a total size in bytes. */
export const jpegOfSize = (bytes: number): Buffer<ArrayBuffer> =>
  jpegOf("7".repeat(bytes - head.length - end.length));

/** The bytes passed to `jpegOf`, as text. */
export const contentOf = (jpeg: Uint8Array): string =>
  Buffer.from(jpeg.subarray(head.length, -end.length)).toString();
