import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const wasm = readFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")));

/** The EAN-13 codes in a picture, read by what reads camera frames in browsers. */
export async function readBarcodesIn(picture: Buffer, density = 300): Promise<string[]> {
  const { buffer } = await wasm;
  prepareZXingModule({ overrides: { wasmBinary: buffer as ArrayBuffer } });
  const { data, info } = await sharp(picture, { density })
    .flatten({ background: "#fff" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = {
    data: new Uint8ClampedArray(data),
    width: info.width,
    height: info.height,
    colorSpace: "srgb",
  };
  const read = await readBarcodes(pixels as ImageData, { formats: ["EAN13"], maxNumberOfSymbols: 255 });
  return read.map(({ text }) => text);
}
