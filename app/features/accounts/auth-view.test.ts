import { expect, test } from "vitest";
import { authViewHref, readAuthView } from "./auth-view.ts";

const viewOf = (search: string) => readAuthView(new URLSearchParams(search));

test("Each view of /auth has an address that leads back to it", () => {
  for (const view of ["sign-in", "sign-up", "forgot-password"] as const)
    expect(viewOf(authViewHref(view).split("?")[1] ?? "")).toBe(view);
});

test("An address that names no view offers signing in", () => {
  expect(viewOf("")).toBe("sign-in");
  expect(viewOf("tab=anything")).toBe("sign-in");
});
