import { expect, test } from "vitest";
import { gridPublishers } from "./grid-publishers.ts";

test("the grid shows three series of a publisher, and a logo only from the shop's own pictures or https", () => {
  const publisher = { name: "Adom", slug: "adom", mark: 2, shown: "menu" as const, in_filter: true };
  const known_for = ["Readers", "Maths", "Science", "Twi"];
  const logoOf = (logo_url: string | null) =>
    gridPublishers([{ ...publisher, known_for, logo_url }], "")[0]?.logo;
  expect(gridPublishers([{ ...publisher, known_for, logo_url: null }], "")).toEqual([
    { name: "Adom", slug: "adom", mark: 2, logo: null, series: "Readers, Maths, Science" },
  ]);
  const path = "/storage/v1/object/public/book-covers/a.jpg";
  expect(logoOf(`https://old.example${path}`)).toBe(path);
  expect(logoOf("javascript:alert(1)")).toBeNull();
});
