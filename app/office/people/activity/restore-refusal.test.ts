import { describe, expect, it } from "vitest";
import { failureFrom } from "#app/lib/backend/response.ts";
import { restoreRefusal } from "./restore-refusal.ts";

const refused = (code: string, message = "The server's own sentence.") =>
  restoreRefusal(failureFrom({ code: "PT409", message, details: JSON.stringify({ code }) }, 409));

describe("a refused restore", () => {
  it.each(["not_in_archive", "not_last_deletion", "already_restored", "cannot_restore", "admin_only"])(
    "is explained for %s",
    (code) => {
      expect(refused(code)).toMatch(/^[A-Z].*\.$/);
      expect(refused(code)).not.toBe("The server's own sentence.");
    },
  );

  it("names the titles that are out of stock, and what to do", () => {
    expect(refused("insufficient_stock", "Not enough in stock: Atlas (1 left).")).toBe(
      "Not enough in stock: Atlas (1 left). Add stock first.",
    );
  });

  it("has a message for each reason", () => {
    const codes = ["not_in_archive", "not_last_deletion", "already_restored", "cannot_restore", "admin_only"];
    expect(codes.map((code) => refused(code))).toEqual([
      "This deletion is no longer in the log. Reload the page.",
      "It was deleted again later. Restore that deletion instead.",
      "It has already been restored, perhaps by another admin.",
      "This review's book or customer has been deleted. Restore the book first.",
      "You are no longer an admin.",
    ]);
  });

  it("says that the order's customer has been deleted when a foreign key fails", () => {
    const failure = failureFrom({ code: "23503", message: "violates foreign key" }, 409);
    expect(restoreRefusal(failure)).toBe("This order's customer has been deleted.");
  });

  it("uses the server's message for other refusals, and null without one", () => {
    expect(refused("something_new")).toBe("The server's own sentence.");
    expect(restoreRefusal(failureFrom({ code: "XX000", message: "internal" }, 500))).toBeNull();
    expect(
      restoreRefusal(Object.assign(new Error("internal"), { code: "admin_only", refusal: "a" })),
    ).toBeNull();
  });
});
