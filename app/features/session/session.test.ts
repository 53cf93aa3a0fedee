import { expect, test } from "vitest";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { readRole } from "./role.queries.ts";
import { isSameSession, type SessionState, sessionScript } from "./session.ts";

/** Runs the head script against a minimal fake of the page. */
function runInHead(localStorage: Pick<Storage, "getItem">): DOMStringMap {
  const dataset: DOMStringMap = {};
  const document = { documentElement: { dataset } };
  new Function("localStorage", "document", sessionScript)(localStorage, document);
  return dataset;
}

test("The head script marks the page when a session is stored", () => {
  expect(runInHead({ getItem: (key) => (key === SESSION_KEY ? "{}" : null) })).toEqual({ session: "stored" });
});

test("Without a stored session, or with blocked storage, the page is not marked", () => {
  expect(runInHead({ getItem: () => null })).toEqual({});
  const blocked = () => {
    throw new Error("denied");
  };
  expect(runInHead({ getItem: blocked })).toEqual({});
});

test("Two states are equal when the same user is signed in with the same email", () => {
  const as = (id: string, email: string): SessionState => ({ status: "signed-in", user: { id, email } });
  expect(isSameSession(as("1", "a@b.example"), as("1", "a@b.example"))).toBe(true);
  expect(isSameSession(as("1", "a@b.example"), as("1", "new@b.example"))).toBe(false);
  expect(isSameSession(as("1", "a@b.example"), as("2", "a@b.example"))).toBe(false);
  expect(isSameSession(as("1", "a@b.example"), { status: "signed-out" })).toBe(false);
  expect(isSameSession({ status: "unknown" }, { status: "signed-out" })).toBe(false);
  expect(isSameSession({ status: "signed-out" }, { status: "signed-out" })).toBe(true);
});

test("The three roles are read unchanged", () => {
  expect(["user", "moderator", "admin"].map(readRole)).toEqual(["user", "moderator", "admin"]);
});

test("Only the exact value 'admin' makes an admin", () => {
  for (const value of [null, undefined, "", "Admin", "admin ", "owner", ["admin"], true])
    expect(readRole(value)).toBe("user");
});
