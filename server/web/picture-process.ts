/*
 * Makes smaller pictures in a process of its own, which picture-maker.ts starts and ends. What it decodes may be damaged on purpose: a
 * crash, a leak or an endless picture must not be the shop's. It has no secrets, and exits with the shop.
 */
import type { FromPictureProcess, ToPictureProcess } from "./picture-maker.ts";

/** Covers are at most this many pixels each way when they are uploaded (server/api/storage/jpeg.ts). */
const MAX_PIXELS = 4_000 * 4_000;
/** At one and a half or two pixels for one of the page, this quality looks like the original. */
const WEBP_QUALITY = 50;
const JPEG_QUALITY = 80;

const send = (message: FromPictureProcess) => process.send?.(message);

const loaded = import("sharp").then(
  ({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    // Only what a cover may be.
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: ["VipsForeignLoadJpeg"] });
    return sharp;
  },
  (): null => null,
);

/** Upright, cut to the shape, in sRGB, without metadata, and never larger than the original. */
async function make({ original, width, height, format }: ToPictureProcess): Promise<FromPictureProcess> {
  const sharp = await loaded;
  if (!sharp) return { type: "unavailable" };
  const picture = sharp(original, { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true })
    .autoOrient()
    .resize({ width, height, fit: "cover", withoutEnlargement: true });
  const encoded =
    format === "webp" ? picture.webp({ quality: WEBP_QUALITY }) : picture.jpeg({ quality: JPEG_QUALITY });
  return encoded.toBuffer().then(
    (content) => ({ type: "made", content }),
    (error: Error) => ({ type: "unreadable", reason: String(error.message).split("\n")[0] ?? "" }),
  );
}

process.on("message", async (message: ToPictureProcess) => send(await make(message)));
process.on("disconnect", () => process.exit());
// Ctrl+C reaches every process of the terminal: the shop first answers what is under way.
process.on("SIGINT", () => {});
