import { describe, expect, test } from "vitest";
import {
  clampNumber,
  coverSize,
  initialCrop,
  ROTATION,
  refuseFile,
  refusePicture,
  SCALE,
} from "./cover-crop.ts";

describe("a file chosen for a cover", () => {
  test("may be a picture of up to 25 MB", () => {
    expect(refuseFile({ type: "image/jpeg", size: 25_000_000 })).toBeNull();
    expect(refuseFile({ type: "image/jpeg", size: 31_200_000 })).toBe(
      "This file is too large (32 MB). Choose a picture of at most 25 MB.",
    );
  });

  test("is refused when it declares another type", () => {
    expect(refuseFile({ type: "application/pdf", size: 10 })).toMatch(/not a picture/);
    expect(refuseFile({ type: "", size: 10 })).toMatch(/not a picture/);
  });

  test("is refused when the picture is tiny or huge", () => {
    expect(refusePicture({ width: 3024, height: 4032 })).toBeNull();
    expect(refusePicture({ width: 149, height: 400 })).toMatch(/too small/);
    expect(refusePicture({ width: 20_000, height: 20_000 })).toMatch(/too large/);
  });

  test("may have from 150 by 200 pixels to 100 megapixels", () => {
    expect(refusePicture({ width: 150, height: 200 })).toBeNull();
    expect(refusePicture({ width: 10_000, height: 10_000 })).toBeNull();
    expect(refusePicture({ width: 150, height: 199 })).toBe(
      "This picture is too small (150 × 199). Choose one of at least 150 × 200 pixels.",
    );
    expect(refusePicture({ width: 10_000, height: 10_001 })).toBe(
      "This picture is too large (10000 × 10001). Choose one of at most 100 megapixels.",
    );
  });
});

describe("the first selection", () => {
  const pixels = (size: { width: number; height: number }) => {
    const crop = initialCrop(size);
    return {
      ...crop,
      aspect: ((crop.width / 100) * size.width) / ((crop.height / 100) * size.height),
    };
  };

  test("is 3:4, 90% of the width of an upright picture, centred", () => {
    const crop = pixels({ width: 3000, height: 4500 });
    expect(crop.width).toBeCloseTo(90);
    expect(crop.aspect).toBeCloseTo(3 / 4);
    expect(crop.x).toBeCloseTo(5);
    expect(crop.y + crop.height / 2).toBeCloseTo(50);
  });

  test("stays inside a picture that is wider than it is high", () => {
    const crop = pixels({ width: 4000, height: 1000 });
    expect(crop.height).toBeLessThanOrEqual(100);
    expect(crop.aspect).toBeCloseTo(3 / 4);
  });
});

describe("numbers of the cover dialog", () => {
  test("scale and rotation stay within their limits", () => {
    expect(clampNumber("9", SCALE, 1)).toBe(3);
    expect(clampNumber("0.1", SCALE, 1)).toBe(0.5);
    expect(clampNumber("-900", ROTATION, 0)).toBe(-180);
    expect(clampNumber("181", ROTATION, 0)).toBe(180);
    expect(clampNumber("", SCALE, 1)).toBe(1);
    expect(clampNumber(" ", SCALE, 1)).toBe(1);
    expect(clampNumber("-", ROTATION, 0)).toBe(0);
  });

  test("a cover is exactly 3:4 and at most 1600 pixels high", () => {
    expect(coverSize(4032)).toEqual({ width: 1200, height: 1600 });
    expect(coverSize(1001)).toEqual({ width: 750, height: 1000 });
  });

  test("another frame has its own shape and largest size, to the pixel", () => {
    const frame = { shape: { width: 3, height: 2 }, maxHeight: 800, least: { width: 480, height: 320 } };
    expect(coverSize(4032, frame)).toEqual({ width: 1200, height: 800 });
    expect(coverSize(333, frame)).toEqual({ width: 498, height: 332 });
    const crop = initialCrop({ width: 3000, height: 3000 }, frame);
    expect(crop.width / crop.height).toBeCloseTo(3 / 2);
  });
});
