import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

const reviewRows = (page: import("@playwright/test").Page) =>
  page.getByRole("table", { name: "Reviews" }).getByRole("row");

test("the table shows book, customer, stars with n/5, text or its absence, and date", async ({
  page,
  admin,
}) => {
  const { data: reviews } = await admin.client.rpc("admin_list_reviews", { _page_size: 50 });
  const [newest] = reviews ?? [];
  if (!newest) throw new Error("The demo shop has no reviews");
  await openAdmin(page, "/admin/reviews", "Review Management");
  await expect(page.getByText("Monitor and moderate customer reviews.")).toBeVisible();
  const table = page.getByRole("table", { name: "Reviews" });
  for (const name of ["Book", "Customer", "Rating", "Review", "Date", "Actions"])
    await expect(table.getByRole("columnheader", { name, exact: true })).toBeVisible();
  const row = reviewRows(page).nth(1);
  for (const text of [newest.book_title, newest.book_publisher, newest.customer_name, newest.customer_email])
    await expect(row).toContainText(text ?? "N/A");
  await expect(row.getByRole("cell").nth(2)).toHaveText(`${newest.rating}/5`);
  await expect(page.getByText("No review text").first()).toBeVisible();

  await page.getByLabel("Filter by rating").selectOption("4");
  await expect(page).toHaveURL(/rating=4/);
  await expect(reviewRows(page).nth(1).getByRole("cell").nth(2)).toHaveText("4/5");
  await page.goto("/admin/reviews?rating=9");
  await expect(reviewRows(page).nth(1)).toBeVisible();
  await expect(page.getByLabel("Filter by rating")).toHaveValue("");
  await page.getByRole("searchbox").fill("nobody has written this");
  await expect(page.getByText("No reviews found", { exact: true })).toBeVisible();
});

test("a long text is cut, and shown in full on a click", async ({ page }) => {
  const text = "It kept its cover through two school years. ".repeat(8).trim();
  await page.route(/rpc\/admin_list_reviews/, async (route) => {
    const answer = await route.fetch();
    const [first, ...rest] = await answer.json();
    await route.fulfill({ response: answer, json: [{ ...first, review_text: text }, ...rest] });
  });
  await openAdmin(page, "/admin/reviews", "Review Management");
  const cell = reviewRows(page).nth(1).getByRole("cell").nth(3);
  const height = async () => (await cell.boundingBox())?.height ?? 0;
  await expect(cell.getByRole("button", { name: "Show all" })).toBeVisible();
  const cut = await height();
  await cell.getByRole("button", { name: "Show all" }).click();
  await expect(cell.getByRole("button", { name: "Show less" })).toHaveAttribute("aria-expanded", "true");
  expect(await height()).toBeGreaterThan(cut * 1.5);
});

test("deleting asks first, then removes the review and its share of the book's rating", async ({
  page,
  admin,
}) => {
  const { data: reviews } = await admin.client.rpc("admin_list_reviews", { _page_size: 50, _sort: "rating" });
  const review = reviews?.find(({ customer_email }) => customer_email);
  if (!review) throw new Error("The demo shop has no reviews");
  const reviewCount = async () => {
    const { data } = await admin.client
      .from("books")
      .select("review_count")
      .eq("id", review.book_id)
      .single();
    return data?.review_count ?? 0;
  };
  const before = await reviewCount();
  await openAdmin(page, `/admin/reviews?q=${encodeURIComponent(review.customer_email)}`, "Review Management");
  const row = reviewRows(page).filter({ hasText: review.book_title }).first();
  await row.getByRole("button", { name: /^Delete the review/ }).click();
  const question = page.getByRole("alertdialog", { name: "Are you sure you want to delete this review?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toBeVisible();
  await row.getByRole("button", { name: /^Delete the review/ }).click();
  await question.getByRole("button", { name: "Delete Review" }).click();
  await expectMessage(page, "Review deleted successfully");
  await expect.poll(reviewCount).toBe(before - 1);
});

test("a deletion that fails says so", async ({ page, consoleLines }) => {
  consoleLines.expect(/^Failed to delete review/);
  await openAdmin(page, "/admin/reviews", "Review Management");
  await page.route(/rest\/v1\/reviews/, (route) => route.fulfill({ status: 500, json: { message: "x" } }));
  await page
    .getByRole("button", { name: /^Delete the review/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete Review" }).click();
  await expectMessage(page, "Failed to delete review");
});
