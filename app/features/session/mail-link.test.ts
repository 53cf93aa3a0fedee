import { expect, test } from "vitest";
import { mailLinkProblem, pageForMailLink, readMailLink, withoutMailLink } from "./mail-link.ts";

const signedIn = (type: string) =>
  `#access_token=head.body.sign&expires_in=3600&refresh_token=r1&token_type=bearer&type=${type}`;
const expired =
  "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";

test("A verification link brings its tokens after the #", () => {
  expect(readMailLink({ hash: signedIn("signup"), search: "" })).toEqual({
    kind: "session",
    purpose: "verification",
    accessToken: "head.body.sign",
    refreshToken: "r1",
  });
});

test("A recovery link is told from a verification link", () => {
  expect(readMailLink({ hash: signedIn("recovery"), search: "" })).toMatchObject({ purpose: "recovery" });
});

test("An expired link brings its code after the # or in the query", () => {
  const problem = { kind: "problem", code: "otp_expired" };
  expect(readMailLink({ hash: `#${expired}`, search: "" })).toEqual(problem);
  expect(readMailLink({ hash: "", search: `?${expired}` })).toEqual(problem);
});

test("An ordinary address carries no answer", () => {
  expect(readMailLink({ hash: "#content", search: "?q=atlas" })).toBeNull();
  expect(readMailLink({ hash: "#access_token=alone", search: "" })).toBeNull();
  expect(readMailLink({ hash: "", search: "" })).toBeNull();
});

test("Each link is answered on its own page, wherever the backend led to", () => {
  const verification = readMailLink({ hash: signedIn("signup"), search: "" });
  const recovery = readMailLink({ hash: signedIn("recovery"), search: "" });
  const problem = readMailLink({ hash: `#${expired}`, search: "" });
  if (!verification || !recovery || !problem) throw new Error("a link was not read");
  expect(pageForMailLink(verification, "/")).toBe("/shop");
  expect(pageForMailLink(recovery, "/")).toBe("/auth/reset");
  expect(pageForMailLink(problem, "/shop")).toBe("/auth");
  expect(pageForMailLink(problem, "/auth/reset")).toBe("/auth/reset");
});

test("The address that stays has lost the answer and kept everything else", () => {
  expect(withoutMailLink({ pathname: "/shop", search: "?q=atlas" })).toBe("/shop?q=atlas");
  expect(withoutMailLink({ pathname: "/auth", search: `?tab=sign-up&${expired}` })).toBe("/auth?tab=sign-up");
  expect(withoutMailLink({ pathname: "/auth", search: "" })).toBe("/auth");
});

test("Every failure of a link is told in words of our own", () => {
  expect(mailLinkProblem("otp_expired")).toContain("expired");
  expect(mailLinkProblem("")).toBe("This link did not work.");
});
