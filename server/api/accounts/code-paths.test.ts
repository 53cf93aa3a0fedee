import * as crypto from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { hashCode, isSameText } from "./recovery-codes.ts";
import { codeOf, findStep, stepAt } from "./totp.ts";

vi.mock("node:crypto", async (load) => {
  const real = await load<typeof crypto>();
  return { ...real, createHmac: vi.fn(real.createHmac), timingSafeEqual: vi.fn(real.timingSafeEqual) };
});

const secret = Buffer.from("12345678901234567890");
const now = 1_700_000_000_000;
const code = (away: number) => codeOf(secret, stepAt(now) + away);

beforeEach(() => vi.clearAllMocks());

const work = () => [
  vi.mocked(crypto.createHmac).mock.calls.length,
  vi.mocked(crypto.timingSafeEqual).mock.calls.length,
];

/*
 * The duration of a check must not reveal how close a guess was. Times differ between runs; the counts of hashes and comparisons don't.
 */
test.each([
  ["the right one", code(0), 0],
  ["that of the step before", code(-1), -1],
  ["that of the step after", code(1), 1],
  ["a wrong one", "000000", null],
  ["one whose first five digits are right", code(0).slice(0, 5) + ((Number(code(0)[5]) + 1) % 10), null],
  ["too short", "123", null],
  ["too long", `${code(0)}7`, null],
  ["letters", "abcdef", null],
  ["nothing", "", null],
])("Checking %s computes and compares three codes", (_, typed, away) => {
  vi.clearAllMocks();
  expect(findStep(secret, typed, now)).toBe(away === null ? null : stepAt(now) + away);
  expect(work()).toEqual([3, 3]);
});

test.each(["abcde-fghjk", "ABCDEFGHJK", "x", ""])(
  "A recovery code costs one hash and one comparison each: %j",
  (typed) => {
    const stored = ["abcde-fghjk", "mnpqr-stuvw"].map((each) => hashCode("a key", "a factor", each));
    vi.clearAllMocks();
    const hash = hashCode("a key", "a factor", typed);
    stored.filter((each) => isSameText(each, hash));
    expect(work()).toEqual([1, 2]);
  },
);
