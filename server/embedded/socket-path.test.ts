import { expect, test } from "vitest";
import { socketPath } from "./socket-path.ts";

test("The socket lies in the data folder", () => {
  expect(socketPath("/srv/shop/data")).toBe("/srv/shop/data/backend.sock");
});

test("A data folder too deep for a socket gets one elsewhere, always the same and never another folder's", () => {
  const deep = `/srv/${"long-name/".repeat(12)}data`;
  expect(Buffer.byteLength(socketPath(deep))).toBeLessThanOrEqual(100);
  expect(socketPath(deep)).toBe(socketPath(deep));
  expect(socketPath(deep)).not.toBe(socketPath(`${deep}2`));
});
