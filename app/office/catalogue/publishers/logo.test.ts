import { expect, test } from "vitest";
import { logoSize } from "./logo.ts";

test.each([
  [
    { width: 200, height: 60 },
    { width: 200, height: 60 },
  ],
  [
    { width: 960, height: 240 },
    { width: 480, height: 120 },
  ],
  [
    { width: 1000, height: 1000 },
    { width: 240, height: 240 },
  ],
  [
    { width: 9000, height: 10 },
    { width: 480, height: 1 },
  ],
])(
  "a logo from a picture of %j is %j: twice what pages show, never larger than the picture",
  (picture, size) => {
    expect(logoSize(picture)).toEqual(size);
  },
);
