import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import wasmUrl from "zxing-wasm/reader/zxing_reader.wasm?url";
import type { CodeReader } from "./open-code-reader.ts";

// The package would fetch it from a public CDN.
prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });

/** Wide enough for the finest lines of a barcode that fills half of the picture, and few enough pixels for a slow phone. */
const MAX_WIDTH = 1_280;

const canvas = document.createElement("canvas");

/** Reads the codes of a frame here in the browser. */
export const readWithZxing: CodeReader = async (video) => {
  const scale = Math.min(1, MAX_WIDTH / video.videoWidth);
  const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)];
  if (width === 0 || height === 0) return [];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return [];
  context.drawImage(video, 0, 0, width, height);
  const read = await readBarcodes(context.getImageData(0, 0, width, height), {
    formats: ["EAN13"],
    maxNumberOfSymbols: 3,
  });
  return read.map(({ text }) => text);
};
