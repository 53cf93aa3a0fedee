import { describe, expect, test } from "vitest";
import { codeOf, findStep, newSecret, openSecret, otpauthUri, sealSecret, stepAt, toBase32 } from "./totp.ts";

/** RFC 6238, appendix B: the secret of the SHA-1 vectors. */
const secret = Buffer.from("12345678901234567890");

test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("At second %i the code is the RFC's %s", (second, code) => {
  expect(codeOf(secret, stepAt(second * 1000), 8)).toBe(code);
  expect(codeOf(secret, stepAt(second * 1000))).toBe(code.slice(2));
});

// RFC 4226, appendix D.
test.each(
  ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"].map(
    (code, counter) => [counter, code] as const,
  ),
)("Counter %i gives RFC 4226's %s", (counter, code) => expect(codeOf(secret, counter)).toBe(code));

// RFC 4648, section 10.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base 32 is %j", (text, encoded) => expect(toBase32(Buffer.from(text))).toBe(encoded));

describe("a typed code", () => {
  const now = 1_800_000_015_000;
  const step = stepAt(now);

  test.each([
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ])("of %i steps from now belongs to the step %s", (away, found) => {
    expect(findStep(secret, codeOf(secret, step + away), now)).toBe(found);
  });

  test.each(["", "12345", "1234567", "abcdef", "１２３４５６", "-12345", " 12345"])("%j is none", (code) => {
    expect(findStep(secret, code, now)).toBeNull();
  });

  test("must match completely: a right code with more digits is wrong", () => {
    expect(findStep(secret, `${codeOf(secret, step)}0`, now)).toBeNull();
  });
});

test("The otpauth URL has the shop, the account and the secret", () => {
  const uri = new URL(otpauthUri(secret, "Adwene & Sons", "ama+1@example.com"));
  expect(decodeURIComponent(uri.pathname)).toContain("Adwene & Sons:ama+1@example.com");
  expect(uri.search).not.toContain("+");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    issuer: "Adwene & Sons",
  });
});

describe("a stored secret", () => {
  const stored = sealSecret(secret, "one", "key");

  test("is decrypted with the shop's key, and doesn't contain the secret", () => {
    expect(openSecret(stored, "one", "key")).toEqual(secret);
    for (const form of [secret.toString("base64"), secret.toString("hex"), toBase32(secret)])
      expect(stored).not.toContain(form.slice(0, 12));
  });

  test("differs each time", () => {
    expect(sealSecret(secret, "one", "key")).not.toBe(stored);
    expect(newSecret()).not.toEqual(newSecret());
  });

  test.each([
    ["another key", stored, "one", "other"],
    ["another factor", stored, "two", "key"],
    ["a changed byte", (stored.startsWith("A") ? "B" : "A") + stored.slice(1), "one", "key"],
  ])("can't be decrypted with %s", (_, text, factor, key) => {
    expect(() => openSecret(text, factor, key)).toThrow();
  });
});
