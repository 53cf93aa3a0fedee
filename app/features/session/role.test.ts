import { expect, test } from "vitest";
import { readRole } from "./role.ts";

test("The three roles are read as they stand", () => {
  expect(["user", "moderator", "admin"].map(readRole)).toEqual(["user", "moderator", "admin"]);
});

test("Nobody becomes an admin by an answer that is not exactly that", () => {
  for (const answer of [null, undefined, "", "Admin", "admin ", "owner", ["admin"], true])
    expect(readRole(answer)).toBe("user");
});
