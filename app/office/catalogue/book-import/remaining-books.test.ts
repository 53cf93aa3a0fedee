import { expect, test } from "vitest";
import { remainingReason } from "./remaining-books.ts";

test("says which fields stay because they were changed again", () => {
  expect(
    remainingReason({
      line: 2,
      bookId: "1",
      title: "Atlas",
      reason: "changed",
      fields: ["price", "grade_level"],
    }),
  ).toBe("Changed again since, so it stays as it is: Price (GH₵), Grade Level.");
});
