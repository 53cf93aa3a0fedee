import { expect, test } from "vitest";
import { authViewHref, readAuthView } from "./auth-view.ts";

const viewOf = (search: string) => readAuthView(new URLSearchParams(search));

test("Each view of /auth has a URL that leads back to it", () => {
  for (const view of ["sign-in", "sign-up", "forgot-password"] as const)
    expect(viewOf(authViewHref(view).split("?")[1] ?? "")).toBe(view);
});

test("A URL without a valid view shows the sign-in form", () => {
  expect(viewOf("")).toBe("sign-in");
  expect(viewOf("tab=anything")).toBe("sign-in");
});

test("The sign-in form has the plain URL", () => {
  expect([authViewHref("sign-in"), authViewHref("sign-up")]).toEqual(["/auth", "/auth?tab=sign-up"]);
});
