import { expect, test } from "vitest";
import { readRole } from "./role.ts";

test("The three roles are read unchanged", () => {
  expect(["user", "moderator", "admin"].map(readRole)).toEqual(["user", "moderator", "admin"]);
});

test("Only the exact value 'admin' makes an admin", () => {
  for (const value of [null, undefined, "", "Admin", "admin ", "owner", ["admin"], true])
    expect(readRole(value)).toBe("user");
});
