import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

/** The tests share one shop: these settings are shown where no other test looks. */
const story = "/admin/settings?group=story";

for (const width of [360, 1280])
  test(`an admin changes a setting, sees what is wrong and restores it, ${width} px wide`, {
    tag: width === 360 ? "@gate" : [],
  }, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await openAdmin(page, story, "Settings");
    const form = page.getByRole("form", { name: "About page" });
    const mission = form.getByRole("textbox", { name: "Our mission" });
    const before = await mission.inputValue();
    const save = form.getByRole("button", { name: "Save" });
    await expect(save).toBeDisabled();
    await mission.fill("m".repeat(1001));
    await save.click();
    await expect(form.getByText("Our mission is too long (at most 1000 characters).")).toBeVisible();
    await expect(mission).toBeFocused();
    const words = `A book for every learner, at ${width} pixels.`;
    await mission.fill(words);
    await save.click();
    await expectMessage(page, "Settings saved");
    // Under the pointer the message would stay, over what is clicked next.
    await page.mouse.move(0, 0);
    await expect(mission).toHaveValue(words);
    await expect
      .poll(async () => (await page.request.get("/about")).text(), { timeout: 20_000 })
      .toContain(words);
    await page.getByText("Earlier values", { exact: true }).click();
    const earlier = page.getByRole("listitem").filter({ hasText: before }).first();
    await earlier.getByRole("button", { name: /^Restore Our mission/ }).click();
    await expectMessage(page, "Setting restored");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.reload();
    await expect(mission).toHaveValue(before);
  });

test("an admin who saves after another one is notified, and overwrites only what they have seen", async ({
  page,
  browser,
  admin,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to save the settings .*409 settings_changed/);
  const other = await otherBrowser(browser, signIn, admin);
  await openAdmin(page, story, "Settings");
  await openAdmin(other, story, "Settings");
  const vision = page.getByRole("textbox", { name: "Our vision" });
  const introduction = page.getByRole("textbox", { name: "Introduction" });
  const [first, firstIntroduction] = [await vision.inputValue(), await introduction.inputValue()];
  await other.getByRole("textbox", { name: "Our vision" }).fill("Theirs");
  await other.getByRole("textbox", { name: "Introduction" }).fill("Their introduction");
  await other.getByRole("button", { name: "Save" }).click();
  await expectMessage(other, "Settings saved");
  await vision.fill("Mine");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else has saved: Theirs")).toBeVisible();
  await expect(page.getByText("Failed to save the settings")).toBeHidden();
  await expect(vision).toHaveValue("Mine");
  // What else they have saved has not been seen yet.
  await expect(page.getByText("Their introduction")).toBeHidden();
  await introduction.fill("My introduction");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Someone else has saved: Their introduction")).toBeVisible();
  await expect(page.getByText("Failed to save the settings")).toBeHidden();
  // Under the pointer the message would stay, over the button.
  await page.mouse.move(0, 0);
  const release = await holdBack(page, /\/rpc\/admin_list_audit/);
  await page.getByRole("button", { name: "Save" }).click();
  await expectMessage(page, "Settings saved");
  await page.mouse.move(0, 0);
  // What is typed while the page's lists are still being read again stays.
  await vision.fill(first);
  release();
  await expect(page.getByRole("button", { name: "Save" })).toBeEnabled();
  await expect(vision).toHaveValue(first);
  await introduction.fill(firstIntroduction);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  await other.context().close();
});

for (const width of [360, 1280])
  test(`edits taxes line by line with the keyboard, shows what is missing at the field and discards the changes, ${width} px wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await openAdmin(page, "/admin/settings?group=payment", "Settings");
    const taxes = page.getByRole("group", { name: "Taxes included in the prices" });
    const preview = taxes.getByRole("region", {
      name: "Taxes included in the prices, as customers see them",
    });
    await expect(preview).toContainText("“They include all taxes.”");
    await taxes.getByRole("button", { name: "Add a tax" }).press("Enter");
    const first = taxes.getByRole("group", { name: "Tax 1" });
    await expect(first.getByLabel("Tax", { exact: true })).toBeFocused();
    await page.keyboard.type("VAT");
    await page.keyboard.press("Enter");
    const percent = first.getByRole("textbox", { name: "Percent" });
    await expect(percent).toBeFocused();
    await expect(percent).toHaveAccessibleDescription("Enter a percentage above 0, such as 15 or 2.5.");
    await page.keyboard.type("15");
    await expect(percent).toHaveAccessibleDescription("Such as 15.");
    await expect(preview).toContainText("Including VAT 15%GH₵13.04");
    await taxes.getByRole("button", { name: "Add a tax" }).press("Enter");
    await page.keyboard.type("NHIL");
    await expect(preview).toContainText("Complete every line to see the preview.");
    const moveUp = taxes.getByRole("button", { name: "Move tax 2 up" });
    await moveUp.press("Enter");
    await expect(first.getByLabel("Tax", { exact: true })).toHaveValue("NHIL");
    await expect(taxes.getByRole("button", { name: "Move tax 1 up" })).toBeFocused();
    // The bar with Save covers what happens to be at the foot of the window.
    await first.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await expectAccessibleAtWidths(page, [width]);
    await taxes.getByRole("button", { name: "Remove tax 1" }).press("Enter");
    await expect(first.getByLabel("Tax", { exact: true })).toBeFocused();
    await expect(first.getByLabel("Tax", { exact: true })).toHaveValue("VAT");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await expect(taxes.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Payment and tax" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  });

test("the settings about the law say what is missing, and how many orders would lose their names", async ({
  page,
}) => {
  await openAdmin(page, "/admin/settings?group=law", "Settings");
  const checklist = page.getByRole("region", { name: "What the law asks you to publish" });
  await expect(checklist.getByRole("listitem").filter({ hasText: "Missing" }).first()).toBeVisible();
  await expect(checklist.getByRole("listitem").filter({ hasText: "Registration number" })).toContainText(
    "Missing",
  );
  const dryRun = page.getByRole("region", { name: "Names on old orders" });
  await dryRun.getByLabel("Orders older than, in years").fill("7");
  await dryRun.getByRole("button", { name: "Count orders" }).click();
  await expect(dryRun.getByRole("status")).toHaveText(
    "0 orders placed more than 7 years ago would lose their names.",
  );
  await expectAccessibleAtWidths(page);
});
