import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { createSha256 } from "./sha256.ts";

const hashOf = (...pieces: Uint8Array[]) => {
  const hash = createSha256();
  for (const piece of pieces) hash.add(piece);
  return hash.digest();
};

test("hashing bytes in any pieces gives the hash of the whole", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (pieces) => {
      expect(hashOf(...pieces)).toBe(createHash("sha256").update(Buffer.concat(pieces)).digest("hex"));
    }),
  );
});

test("hashes empty input and large pieces", () => {
  expect(hashOf()).toBe(createHash("sha256").digest("hex"));
  const large = new Uint8Array(4 * 1024 * 1024 + 5).map((_, index) => index % 251);
  expect(hashOf(large, large)).toBe(createHash("sha256").update(large).update(large).digest("hex"));
});
