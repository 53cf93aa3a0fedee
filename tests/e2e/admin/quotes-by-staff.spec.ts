import { addBook, dataOf, newIsbn, newTitle } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test("staff begin a quote for an account from a pasted list and a booklist, send it, and use it again", async ({
  page,
  context,
  member,
  admin,
  signIn,
}) => {
  test.setTimeout(120_000);
  const { isbn13 } = newIsbn();
  const [maths, soldOut, atlas] = [
    await addBook(admin.client, { price: 50, stock_quantity: 100, isbn: isbn13 }),
    await addBook(admin.client, { price: 10, stock_quantity: 0 }),
    await addBook(admin.client, { price: 20, stock_quantity: 100 }),
  ];
  const draft = await dataOf(
    admin.client.rpc("save_booklist", {
      _school: newTitle("School"),
      _class_name: "Class 4",
      _school_year: "2026/2027",
      _lines: [{ title: atlas.title, book_id: atlas.id, copies: 2, is_required: true }],
    }),
  );
  const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
  const list = await dataOf(admin.client.rpc("set_booklist_status", version));
  await signIn(context, admin);
  await openAdmin(page, "/admin/quotes", "Quotes");
  await page.getByRole("link", { name: "New Quote" }).click();
  await page.getByLabel("Customer's account").fill(member.email);
  await page.getByRole("list", { name: "Accounts found" }).getByRole("button").click();
  await expect(page.getByLabel("Contact person")).toHaveValue("Reader of the test");
  await page.getByLabel("School, institution or person").fill("Castle Road School");
  await page.getByLabel("Phone").fill("0244123456");
  await expectAccessibleAtWidths(page, [360, 1280]);
  await page.getByRole("button", { name: "Create Quote" }).click();

  await page.getByRole("button", { name: "Paste a List" }).click();
  const pasted = page.getByLabel("ISBNs or titles with quantities, one on each line");
  await pasted.fill(`${isbn13}\t30\n${soldOut.title}\t4\nNo such book of ours\t2`);
  await page.getByRole("button", { name: "Add Lines" }).click();
  await expect(page.getByText("2 titles added.")).toBeVisible();
  await expect(pasted).toHaveValue("No such book of ours\t2");
  await expect(page.getByLabel(`Quantity of ${maths.title}`)).toHaveValue("30");
  await page.getByRole("button", { name: "Add a Booklist" }).click();
  await page.getByLabel("Booklist's code or address").fill(`https://shop.example/lists/${list.code}`);
  await page.getByLabel("Pupils").fill("25");
  await page.getByRole("button", { name: "Add Books" }).click();
  await expect(page.getByLabel(`Quantity of ${atlas.title}`)).toHaveValue("50");
  await expectAccessibleAtWidths(page, [360, 1280]);
  await page.getByRole("button", { name: `Remove ${soldOut.title}` }).click();
  await page.getByRole("button", { name: "Save and Send" }).click();
  await expect(page.getByText(/^Quote Q\d{4}-\d{4,} sent$/).first()).toBeVisible();
  const [sent] = await dataOf(member.client.rpc("list_own_quotes"));
  expect(sent).toMatchObject({ institution: "Castle Road School", status: "sent", total: 2500 });

  await page.getByRole("link", { name: "Use Again" }).click();
  await expect(page.getByLabel("School, institution or person")).toHaveValue("Castle Road School");
  await page.getByRole("button", { name: "Create Quote" }).click();
  await expect(page.getByText("Draft", { exact: true })).toBeVisible();
  await expect(page.getByLabel(`Quantity of ${maths.title}`)).toHaveValue("30");
  await openAdmin(page, "/admin/quotes?q=Castle", "Quotes");
  await expect(page.getByRole("link", { name: "New quote for Castle Road School" }).first()).toBeVisible();
});
