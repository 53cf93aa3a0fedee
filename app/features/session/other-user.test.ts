import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { otherUserSignedIn, userOfToken } from "./other-user.ts";

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const tokenOf = (sub: string, email: string) => `${encode({ alg: "HS256" })}.${encode({ sub, email })}.sign`;
let stored: string | null;

beforeEach(() => vi.stubGlobal("window", { localStorage: { getItem: () => stored } }));
afterEach(() => vi.unstubAllGlobals());

test("The user is read from a token, including non-ASCII letters", () => {
  expect(userOfToken(tokenOf("kofi", "kɔfi@school.example"))).toEqual({
    id: "kofi",
    email: "kɔfi@school.example",
  });
  for (const token of ["", "a.b.c", `x.${encode({})}.x`]) expect(userOfToken(token)).toBeNull();
});

test("Another user is signed in only when the stored session is theirs", () => {
  stored = JSON.stringify({ user: { id: "ama", email: "ama@school.example" } });
  expect(otherUserSignedIn(tokenOf("kofi", ""))).toEqual({ id: "ama", email: "ama@school.example" });
  expect(otherUserSignedIn("unreadable")).toEqual({ id: "ama", email: "ama@school.example" });
  expect(otherUserSignedIn(tokenOf("ama", ""))).toBeNull();
  for (const noSession of [null, "{not json", "null", "{}"]) {
    stored = noSession;
    expect(otherUserSignedIn(tokenOf("kofi", ""))).toBeNull();
  }
});
