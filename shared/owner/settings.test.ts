import { expect, test } from "vitest";
import { firstShop, shopWith } from "./settings.ts";

test("shows no address as a link that isn't https", () => {
  const stored = { facebook: "javascript:alert(1)", mapLink: "http://maps.example/1", name: "Kente Books" };
  expect(shopWith(stored)).toEqual({ ...firstShop, ...stored, facebook: "", mapLink: "" });
  expect(shopWith({ mapLink: "https://maps.example/1" }).mapLink).toBe("https://maps.example/1");
});
