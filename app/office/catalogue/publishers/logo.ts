import { drawJpeg, refuseContent } from "#app/office/catalogue/covers/cover-crop.ts";

/** The largest logo, twice as large as pages show it. */
const MAX_WIDTH = 480;
const MAX_HEIGHT = 240;

/** The size of a logo for a picture of this size: never larger than the picture. */
export function logoSize({ width, height }: { width: number; height: number }): {
  width: number;
  height: number;
} {
  const shrink = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
}

/**
 * A chosen picture as a small JPEG on white, or why it cannot become a logo.
 * @throws Error when the browser gives no canvas, or the canvas no image
 */
export async function readLogo(file: File): Promise<{ jpeg: Blob } | { refusal: string }> {
  const refusal = await refuseContent(file, { width: 40, height: 40 });
  if (refusal !== null) return { refusal };
  const picture = await createImageBitmap(file);
  const { width, height } = logoSize(picture);
  try {
    const jpeg = await drawJpeg({ width, height }, (context) =>
      context.drawImage(picture, 0, 0, width, height),
    );
    return { jpeg };
  } finally {
    picture.close();
  }
}
