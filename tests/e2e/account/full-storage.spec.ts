import { expectMessage } from "#tests/support/messages.ts";
import { test } from "#tests/support/test.ts";
import { expectSignedIn, openSignIn } from "./account-pages.ts";

test("A customer whose browser storage is full can sign in and shop until they close the page", async ({
  page,
  member,
}) => {
  await openSignIn(page);
  await page.evaluate(() => {
    for (let size = 2 ** 23; size >= 1; size /= 2)
      try {
        for (let n = 0; ; n += 1) localStorage.setItem(`other ${size} ${n}`, "x".repeat(size));
      } catch {
        // Full, so the rest is filled in smaller pieces.
      }
    // Leaves room for a short value, but not for a session.
    const [first = ""] = Object.keys(localStorage);
    localStorage.setItem(first, (localStorage.getItem(first) ?? "").slice(1_000));
  });
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectMessage(page, "Welcome back!");
  await expectSignedIn(page, member.email);
  await page.getByRole("button", { name: "Add to Cart" }).first().click();
  await expectMessage(page, "Added to cart!");
});
