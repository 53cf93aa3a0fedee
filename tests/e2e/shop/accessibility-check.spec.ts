import { expect, expectAccessible, test } from "#tests/support/test.ts";

test("The accessibility check of these tests reports a picture without alternative text and a field without a label", async ({
  page,
}) => {
  await page.goto("/contact");
  await page
    .getByRole("main")
    .evaluate((main) => main.insertAdjacentHTML("beforeend", '<img src="/favicon.svg"><input>'));
  const found = await expectAccessible(page).catch(String);
  expect(found).toContain("image-alt");
  expect(found).toContain("label");
});
