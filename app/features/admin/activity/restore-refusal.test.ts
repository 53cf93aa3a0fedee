import { describe, expect, it } from "vitest";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { restoreRefusal } from "./restore-refusal.ts";

const refused = (code: string, message = "The server's own sentence.") =>
  restoreRefusal(new BackendFailure({ code: "PT409", message, details: JSON.stringify({ code }) }, 409));

describe("a restoring that was refused", () => {
  it.each(["not_in_archive", "not_last_deletion", "already_restored", "cannot_restore", "admin_only"])(
    "is explained in words for %s",
    (code) => {
      expect(refused(code)).toMatch(/^[A-Z].*\.$/);
      expect(refused(code)).not.toBe("The server's own sentence.");
    },
  );

  it("names the titles that are short, and what to do", () => {
    expect(refused("insufficient_stock", "Not enough in stock: Atlas (1 left).")).toBe(
      "Not enough in stock: Atlas (1 left). Put copies into the stock first.",
    );
  });

  it("says that the order's customer is gone when the database's key says so", () => {
    const failure = new BackendFailure({ code: "23503", message: "violates foreign key" }, 409);
    expect(restoreRefusal(failure)).toBe("The customer of this order is gone.");
  });

  it("leaves other refusals to the server's sentence, and surprises without one", () => {
    expect(refused("something_new")).toBe("The server's own sentence.");
    expect(restoreRefusal(new BackendFailure({ code: "XX000", message: "internal" }, 500))).toBeNull();
    expect(restoreRefusal(new Error("internal"))).toBeNull();
  });
});
