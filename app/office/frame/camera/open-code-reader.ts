import { isEan13 } from "#app/features/books/isbn.ts";

/** The EAN-13 codes that a frame of a video shows, each with its right check digit. */
export type CodeReader = (video: HTMLVideoElement) => Promise<string[]>;

/** https://wicg.github.io/shape-detection-api/, which TypeScript's library lacks. */
type BarcodeDetectorClass = {
  new (options: { formats: string[] }): { detect(from: HTMLVideoElement): Promise<{ rawValue: string }[]> };
  getSupportedFormats(): Promise<string[]>;
};

/** The browser's own reader if it supports EAN-13, else a downloaded one. */
export async function openCodeReader(): Promise<CodeReader> {
  const read = (await openOwnReader()) ?? (await import("./decode-with-zxing.ts")).readWithZxing;
  return async (video) => (await read(video)).filter(isEan13);
}

async function openOwnReader(): Promise<CodeReader | null> {
  const { BarcodeDetector } = window as { BarcodeDetector?: BarcodeDetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  if (!BarcodeDetector || !formats?.includes("ean_13")) return null;
  const detector = new BarcodeDetector({ formats: ["ean_13"] });
  return async (video) => (await detector.detect(video)).map(({ rawValue }) => rawValue);
}
