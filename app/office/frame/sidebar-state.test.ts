import { describe, expect, test } from "vitest";
import { readSidebarCookie, sidebarCookie } from "./sidebar-state.ts";

describe("the sidebar's cookie", () => {
  test("without a valid cookie the sidebar is open", () => {
    expect(readSidebarCookie("")).toBe(true);
    expect(readSidebarCookie("other=1; sidebar=oops")).toBe(true);
  });

  test("a collapsed sidebar is found among other cookies", () => {
    expect(readSidebarCookie("a=b; sidebar=collapsed; c=d")).toBe(false);
    expect(readSidebarCookie("not-sidebar=collapsed")).toBe(true);
  });

  test("the sidebar's state is stored for seven days, for the back office only", () => {
    expect(sidebarCookie(false)).toBe("sidebar=collapsed; path=/admin; max-age=604800; samesite=lax");
  });
});
