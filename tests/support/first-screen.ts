import { expect, type Page } from "@playwright/test";

/** For the pictures of a page's first screen, with photographed covers too. */
export const MAX_PICTURE_BYTES = 60_000;

/** Waits until the pictures of the first screen have arrived. @returns how many bytes each took */
export async function firstScreenPictures(page: Page): Promise<number[]> {
  const weights = () =>
    page.evaluate(() =>
      [...document.images]
        .filter((image) => {
          const { top, bottom, width } = image.getBoundingClientRect();
          return top < innerHeight && bottom > 0 && width > 0;
        })
        .map(({ complete, naturalWidth, currentSrc }) => {
          const [loaded] = performance.getEntriesByName(currentSrc) as PerformanceResourceTiming[];
          return complete && naturalWidth > 0 ? (loaded?.encodedBodySize ?? 0) : 0;
        }),
    );
  await expect.poll(async () => Math.min(...(await weights()))).toBeGreaterThan(0);
  return weights();
}

/** The first screen has this many pictures or more, and they are within the budget. */
export async function expectLightPictures(page: Page, atLeast: number): Promise<void> {
  const bytes = await firstScreenPictures(page);
  const path = new URL(page.url()).pathname;
  expect(bytes.length, path).toBeGreaterThanOrEqual(atLeast);
  expect(
    bytes.reduce((sum, each) => sum + each, 0),
    `${path}: ${bytes.join(" + ")} bytes of pictures`,
  ).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
}
