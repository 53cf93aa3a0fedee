import { addBook, newIsbn, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { connect } from "#tests/support/shop-client.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { editBook, giveRole, numberOf, openAdmin, openOrder, otherBrowser } from "./back-office.ts";

test.describe("an admin who works in the back office all day", () => {
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  for (const how of ["is gone", "has died without a word"]) {
    test(`sees within seconds that nothing was saved when the network ${how}`, {
      tag: how === "is gone" ? "@gate" : [],
    }, async ({ page, context, admin, member, consoleLines }) => {
      test.setTimeout(120_000);
      // The first pattern that fits a line takes it.
      if (how === "is gone") consoleLines.expect(/^Failed to check the duties/);
      consoleLines.expect(/^Failed to/);
      const cut = async () => {
        if (how === "is gone") await context.setOffline(true);
        // No answer ever comes.
        else await context.route(/\/rest\/v1\//, () => {});
      };
      const title = newTitle("Offline");
      await addBook(admin.client, { title, isbn: newIsbn().isbn13 });
      const dialog = await editBook(page, title);
      await dialog.getByLabel("Title").fill(`${title} typed`);
      await cut();
      await dialog.getByRole("button", { name: "Update Book" }).click();
      await expect(page.getByText(/^Failed to save book/).first()).toBeVisible({
        timeout: 20_000,
      });
      await expect(dialog.getByLabel("Title")).toHaveValue(`${title} typed`);
      await expect(dialog.getByRole("button", { name: "Update Book" })).toBeEnabled();
      await context.setOffline(false);
      await context.unrouteAll({ behavior: "ignoreErrors" });

      await openAdmin(page, `/admin/users?q=${member.email}`, "User Management");
      const row = page.getByRole("row").filter({ hasText: member.email });
      const selector = row.getByRole("combobox");
      await expect(selector).toHaveValue("user");
      await cut();
      await selector.selectOption("moderator");
      await row.getByRole("button", { name: /^Change role/ }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Make Moderator" }).click();
      await expect(page.getByText("Failed to update user role").first()).toBeVisible({ timeout: 20_000 });
      await expect(selector).toHaveValue("user");
      await expect(selector).toBeEnabled();
    });
  }

  test("never scrolls a page sideways for very long words", async ({ page, admin, member }) => {
    test.setTimeout(120_000);
    const word = newTitle("scan").replaceAll(" ", "-").padEnd(200, "x");
    const book = await addBook(admin.client, {
      title: word,
      publisher: `${word.slice(0, 180)}-press`,
      stock_quantity: 2,
    });
    await member.client.from("profiles").update({ full_name: word }).eq("id", member.id);
    const order = await placeOrder(member, book, 1, { shipping_address: word, recipient_name: word });
    await admin.client.from("books").update({ stock_quantity: 0, edition: word }).eq("id", book.id);
    const pages: [string, string][] = [
      ["/admin", "Admin Dashboard"],
      [`/admin/users?q=${member.email}`, "User Management"],
      [`/admin/books?q=${word.slice(0, 150)}`, "Book Management"],
      [`/admin/books?book=${book.id}`, "Book Management"],
      [`/admin/orders?q=${order}`, "Order Management"],
      [`/admin/orders?order=${order}`, "Order Management"],
      [`/admin/orders/${order}/packing-list`, "Packing list"],
      ["/admin/reviews", "Review Management"],
      [`/admin/activity?q=${word.slice(0, 150)}`, "Activity"],
      ["/admin/books/import", "Import Books"],
      ["/admin/books/digital", "Files and licence codes"],
    ];
    for (const [path, heading] of pages) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: heading, includeHidden: true })).toBeVisible();
      if (/q=|packing/.test(path))
        await expect(page.getByText(word.slice(0, 60)).filter({ visible: true }).first()).toBeVisible();
      if (/book=|order=/.test(path))
        await expect(page.getByRole("dialog").locator("dd, input").first()).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const wide = await page.evaluate(() => {
          const boxes = [
            document.documentElement,
            ...document.querySelectorAll("[role=dialog], [role=dialog] > div"),
          ];
          return boxes
            .filter((box) => box.scrollWidth > box.clientWidth + 1)
            .map((box) => box.outerHTML.slice(0, 200));
        });
        expect(wide, `${path}, ${width} px wide`).toEqual([]);
      }
    }
  });

  test("gets from the dashboard to an order's details and to a book low in stock", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client, { stock_quantity: 1 });
    const order = await placeOrder(member, book, 1);
    const number = await numberOf(admin, order);
    await openAdmin(page, "/admin", "Admin Dashboard");
    await page
      .getByRole("region", { name: "Recent Orders" })
      .getByRole("link", { name: `Order ${number} of Reader of the test` })
      .click();
    await expect(page).toHaveURL(new RegExp(`/admin/orders\\?order=${number}$`));
    const dialog = page.getByRole("dialog", { name: "Order Details" });
    await expect(dialog.getByText(`Order ${number}`)).toBeVisible();
    await expect(dialog.getByText(book.title)).toBeVisible();
    await page.reload();
    await expect(dialog.getByText(`Order ${number}`)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/admin\/orders$/);

    const row = await openOrder(page, order);
    await row.getByRole("button", { name: /View details/ }).click();
    await expect(dialog.getByText(`Order ${number}`)).toBeVisible();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(row).toBeVisible();
    await page.goto(`/admin/orders?order=${crypto.randomUUID()}`);
    await expect(page.getByText("This order no longer exists.")).toBeVisible();

    await page.goto("/admin");
    const low = page.getByRole("region", { name: "Low Stock Alert" }).getByRole("link").first();
    const title = await low.innerText();
    await low.click();
    await expect(page.getByRole("dialog", { name: "Edit Book" }).getByLabel("Title")).toHaveValue(title);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page).toHaveURL(/\/admin\/books$/);
  });

  test("finds a deleted book by its title and a role change by its user", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client);
    expect((await admin.client.from("books").delete().eq("id", book.id)).error).toBeNull();
    await openAdmin(page, "/admin/activity", "Activity");
    const search = page.getByRole("searchbox");
    await search.fill(book.title.toUpperCase());
    const found = page
      .getByRole("table", { name: "Activity" })
      .getByRole("row")
      .filter({ hasText: book.title });
    await expect(found.filter({ hasText: "Book deleted" })).toBeVisible();
    await giveRole(admin, member.id, "moderator");
    await search.fill(member.email);
    const args = page.getByRole("row").filter({ hasText: "Role given" });
    await expect(args).toHaveCount(1);
    await expect(args).toContainText("Moderator");
  });
});

test("staff change their own password, after entering the current one", { tag: "@gate" }, async ({
  shop,
  browser,
  admin,
  member,
  signIn,
}) => {
  await giveRole(admin, member.id, "admin");
  const other = await otherBrowser(browser, signIn, member);
  await openAdmin(other, "/admin", "Admin Dashboard");
  await other.getByRole("button", { name: "Change password" }).click();
  const dialog = other.getByRole("dialog", { name: "Change password" });
  const save = dialog.getByRole("button", { name: "Change password" });
  await expectAccessible(other);
  await save.click();
  await expect(dialog.getByText("Enter your current password")).toBeVisible();
  await dialog.getByLabel("Current password").fill("not this one");
  await dialog.getByLabel("New password").fill("short");
  await save.click();
  await expect(dialog.getByText("Password should be at least 6 characters.")).toBeVisible();
  await dialog.getByLabel("New password").fill("quite another one");
  await save.click();
  await expect(dialog.getByText("The current password is incorrect")).toBeVisible();
  await dialog.getByLabel("Current password").fill(member.password);
  await save.click();
  await expectMessage(other, "Your password has been changed");
  await expect(dialog).toBeHidden();
  await other.reload();
  await expect(other.getByRole("heading", { level: 1, name: "Admin Dashboard" })).toBeVisible();
  const again = await connect(shop, "2001:db8::77");
  const signedIn = await again.auth.signInWithPassword({
    email: member.email,
    password: "quite another one",
  });
  expect(signedIn.error).toBeNull();
  await other.context().close();
  await giveRole(admin, member.id, "user");
});
