import { centerCrop, makeAspectCrop, type PercentCrop } from "react-image-crop";

/** The cover dialog's numbers (spec section 9). */
export const MIN_CROP_HEIGHT = 100;
export const SCALE = { min: 0.5, max: 3, step: 0.1 } as const;
export const ROTATION = { min: -180, max: 180 } as const;
const INITIAL_WIDTH_PERCENT = 90;
const JPEG_QUALITY = 0.9;

const MAX_FILE_MEGABYTES = 25;
const MAX_MEGAPIXELS = 100;

type Size = { width: number; height: number };

/** What a picture is cut to. */
export type Frame = {
  /** As whole numbers: 3 and 4 are 3:4. */
  shape: Size;
  /** In pixels. It is never shown larger than this, and a phone's photo is several times as high. */
  maxHeight: number;
  /** In pixels: of smaller pictures none is made. */
  least: Size;
};

export const COVER_FRAME: Frame = {
  shape: { width: 3, height: 4 },
  maxHeight: 1600,
  least: { width: 150, height: 200 },
};

export const aspectOf = ({ shape }: Frame) => shape.width / shape.height;

/** Why a chosen file cannot be used, judged before it is opened; null when it is worth opening. */
export function refuseFile(file: Pick<File, "type" | "size">): string | null {
  if (!file.type.startsWith("image/")) return NO_PICTURE;
  const megabytes = file.size / 1_000_000;
  if (megabytes > MAX_FILE_MEGABYTES)
    return `This file is too large (${Math.ceil(megabytes)} MB). Choose a picture of at most ${MAX_FILE_MEGABYTES} MB.`;
  return null;
}

const NO_PICTURE = "This file is not a picture that can be read. Choose a JPEG, PNG or WebP picture.";

/** Why an opened picture cannot become a cover, or another picture that needs this size; null when it can. */
export function refusePicture({ width, height }: Size, least = COVER_FRAME.least): string | null {
  if (width < least.width || height < least.height)
    return `This picture is too small (${width} × ${height}). Choose one of at least ${least.width} × ${least.height} pixels.`;
  if (width * height > MAX_MEGAPIXELS * 1_000_000)
    return `This picture is too large (${width} × ${height}). Choose one of at most ${MAX_MEGAPIXELS} megapixels.`;
  return null;
}

/** Why a file cannot become a cover, or another picture that needs this size, judged by its content; null when it can. */
export async function refuseContent(file: File, least?: Size): Promise<string | null> {
  const refusal = refuseFile(file);
  if (refusal !== null) return refusal;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return NO_PICTURE;
  const reason = refusePicture(picture, least);
  picture.close();
  return reason;
}

/** The first selection: in the middle, 90 % of the width, or less where the picture is not high enough. */
export function initialCrop({ width, height }: Size, frame = COVER_FRAME): PercentCrop {
  const crop = makeAspectCrop({ unit: "%", width: INITIAL_WIDTH_PERCENT }, aspectOf(frame), width, height);
  return centerCrop(crop, width, height);
}

/** A typed number clamped to its bounds, or `otherwise` if it is not a number. */
export function clampNumber(
  text: string,
  { min, max }: { min: number; max: number },
  otherwise: number,
): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : otherwise;
}

/** The size in pixels for a selection `height` pixels high in the picture itself: the frame's shape to the pixel. */
export function coverSize(height: number, { shape, maxHeight }: Frame = COVER_FRAME): Size {
  const times = Math.max(1, Math.floor(Math.min(height, maxHeight) / shape.height));
  return { width: times * shape.width, height: times * shape.height };
}

/** Why a picture can't become a cover, as a sentence for staff. */
export class UnusableCover extends Error {
  override name = "UnusableCover";
}

/**
 * The middle of a picture as a cover, as JPEG on white.
 * @throws UnusableCover
 */
export async function coverFrom(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) throw new UnusableCover("This is not a picture that can be read.");
  try {
    const refusal = refusePicture(picture);
    if (refusal !== null) throw new UnusableCover(refusal);
    const shown = Math.min(picture.height, picture.width / aspectOf(COVER_FRAME));
    const { width, height } = coverSize(shown);
    return await drawJpeg({ width, height }, (context) => {
      const scale = height / shown;
      const [drawnWidth, drawnHeight] = [picture.width * scale, picture.height * scale];
      context.drawImage(
        picture,
        (width - drawnWidth) / 2,
        (height - drawnHeight) / 2,
        drawnWidth,
        drawnHeight,
      );
    });
  } finally {
    picture.close();
  }
}

/**
 * A JPEG of this size, drawn on white.
 * @throws Error when the browser gives no canvas, or the canvas no image
 */
export async function drawJpeg(
  { width, height }: Size,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("No 2d context");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  draw(context);
  const jpeg = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY),
  );
  if (!jpeg) throw new Error("Failed to crop image");
  return jpeg;
}

type CropOptions = {
  /** In percent of the picture as shown. */
  crop: Pick<PercentCrop, "x" | "y" | "width" | "height">;
  /** About the picture's middle, as shown in the dialog. */
  scale: number;
  /** Degrees, clockwise. */
  rotation: number;
  frame: Frame;
};

/**
 * Draws the selected part of a picture as a JPEG on white. The browser has turned the picture upright already, by the
 * orientation that the camera wrote into it.
 * @throws Error when the browser gives no canvas, or the canvas no image
 */
export async function cropToJpeg(
  picture: HTMLImageElement,
  { crop, scale, rotation, frame }: CropOptions,
): Promise<Blob> {
  const { naturalWidth, naturalHeight } = picture;
  const cropHeight = (crop.height / 100) * naturalHeight;
  const { width, height } = coverSize(cropHeight, frame);
  return drawJpeg({ width, height }, (context) => {
    const shrink = height / cropHeight;
    context.scale(shrink, shrink);
    context.translate((-crop.x / 100) * naturalWidth, (-crop.y / 100) * naturalHeight);
    context.translate(naturalWidth / 2, naturalHeight / 2);
    context.rotate((rotation * Math.PI) / 180);
    context.scale(scale, scale);
    context.translate(-naturalWidth / 2, -naturalHeight / 2);
    context.drawImage(picture, 0, 0, naturalWidth, naturalHeight);
  });
}
