import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  emailLinkProblem,
  otherUserSignedIn,
  pageForEmailLink,
  readEmailLink,
  userOfToken,
  withoutEmailLink,
} from "./email-link.ts";

const signedIn = (type: string) =>
  `#access_token=head.body.sign&expires_in=3600&refresh_token=r1&token_type=bearer&type=${type}`;
const expired =
  "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";

test("A verification link carries its tokens after the #", () => {
  expect(readEmailLink({ hash: signedIn("signup"), search: "" })).toEqual({
    kind: "session",
    purpose: "verification",
    accessToken: "head.body.sign",
    refreshToken: "r1",
  });
});

test("A recovery link is distinguished from a verification link", () => {
  expect(readEmailLink({ hash: signedIn("recovery"), search: "" })).toMatchObject({ purpose: "recovery" });
});

test("An expired link carries its code after the # or in the query", () => {
  const problem = { kind: "problem", code: "otp_expired" };
  expect(readEmailLink({ hash: `#${expired}`, search: "" })).toEqual(problem);
  expect(readEmailLink({ hash: "", search: `?${expired}` })).toEqual(problem);
});

test("An ordinary URL is not an email link", () => {
  expect(readEmailLink({ hash: "#content", search: "?q=atlas" })).toBeNull();
  expect(readEmailLink({ hash: "#access_token=alone", search: "" })).toBeNull();
  expect(readEmailLink({ hash: "", search: "" })).toBeNull();
});

test("Each link is handled on its own page, wherever the backend redirected to", () => {
  const verification = readEmailLink({ hash: signedIn("signup"), search: "" });
  const recovery = readEmailLink({ hash: signedIn("recovery"), search: "" });
  const problem = readEmailLink({ hash: `#${expired}`, search: "" });
  if (!verification || !recovery || !problem) throw new Error("a link was not read");
  expect(pageForEmailLink(verification, "/")).toBe("/shop");
  expect(pageForEmailLink(recovery, "/")).toBe("/auth/reset");
  expect(pageForEmailLink(problem, "/shop")).toBe("/auth");
  expect(pageForEmailLink(problem, "/auth/reset")).toBe("/auth/reset");
});

test("The tokens are removed from the URL and everything else stays", () => {
  expect(withoutEmailLink({ pathname: "/shop", search: "?q=atlas" })).toBe("/shop?q=atlas");
  expect(withoutEmailLink({ pathname: "/auth", search: `?tab=sign-up&${expired}` })).toBe(
    "/auth?tab=sign-up",
  );
  expect(withoutEmailLink({ pathname: "/auth", search: "" })).toBe("/auth");
});

test("Every failed link is explained in the shop's own words", () => {
  expect(emailLinkProblem("otp_expired")).toContain("expired");
  expect(emailLinkProblem("")).toBe("This link didn't work.");
  for (const code of ["otp_expired", "access_denied"])
    expect(emailLinkProblem(code)).toBe("This link has expired or has already been used.");
  expect(emailLinkProblem("no_answer")).toBe("We couldn't reach the shop to open your link.");
});

test("A failed link without a code has the error's name, or none", () => {
  const codeOf = (search: string) => {
    const link = readEmailLink({ hash: "", search });
    return link?.kind === "problem" ? link.code : null;
  };
  expect(codeOf("?error=access_denied&error_description=a")).toBe("access_denied");
  expect(codeOf("?error_description=a")).toBe("");
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const tokenOf = (sub: string, email: string) => `${encode({ alg: "HS256" })}.${encode({ sub, email })}.sign`;
let stored: string | null;

beforeEach(() => vi.stubGlobal("localStorage", { getItem: () => stored }));
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
