import { expect, test } from "vitest";
import { describeManifest } from "./manifest-counts.ts";

test("prints counts in the singular or plural", () => {
  const tables = { "public.books": { rows: 2316 }, "public.orders": { rows: 1 } } as never;
  expect(describeManifest({ tables, files: 1 }, ["book", "order", "review"])).toBe(
    "2,316 books, 1 order, 0 reviews, 1 file",
  );
});
