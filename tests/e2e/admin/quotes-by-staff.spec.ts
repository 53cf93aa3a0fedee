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
  await page.getByLabel("Customer's account (optional)").fill(member.email);
  await page.getByRole("list", { name: "Accounts found" }).getByRole("button").click();
  await expect(page.getByLabel("Contact person")).toHaveValue("Reader of the test");
  await page.getByLabel("School, institution or person").fill("Castle Road School");
  await page.getByLabel("Phone").fill("0244123456");
  await expectAccessibleAtWidths(page, [360, 1280]);
  await page.getByRole("button", { name: "Create Quote" }).click();

  await page.getByRole("button", { name: "Paste a List" }).click();
  const pasted = page.getByLabel("ISBNs or titles with quantities, one on each line");
  await pasted.fill(`${isbn13}\t30\n${soldOut.title}\t4\nNo such book of ours\t2\nNor this one\t3`);
  await page.getByRole("button", { name: "Add Lines" }).click();
  await expect(page.getByText("2 titles added.")).toBeVisible();
  await expect(pasted).toHaveValue("No such book of ours\t2\nNor this one\t3");
  await expect(page.getByLabel(`Quantity of ${maths.title}`)).toHaveValue("30");
  await page.getByRole("button", { name: "Add a Booklist" }).click();
  await page.getByLabel("Booklist's code or address").fill(`https://shop.example/lists/${list.code}`);
  await page.getByLabel("Pupils").fill("25");
  await page.getByRole("button", { name: "Add Books" }).click();
  await expect(page.getByLabel(`Quantity of ${atlas.title}`)).toHaveValue("50");
  await expectAccessibleAtWidths(page, [360, 1280]);
  await expect(page.getByText(/^You left a form unfinished/)).toBeHidden();
  await page.getByRole("button", { name: `Remove ${soldOut.title}` }).click();
  await page.getByRole("button", { name: "Paste a List" }).click();
  await page.getByRole("button", { name: "Save and Send" }).click();
  const question = page.getByRole("alertdialog", { name: "2 pasted lines are not in this quote" });
  await expect(question.getByRole("listitem")).toHaveText(["No such book of ours, 2", "Nor this one, 3"]);
  await expectAccessibleAtWidths(page, [360, 1280]);
  await question.getByRole("button", { name: "Go Back" }).click();
  await expect(page.getByText("Draft", { exact: true })).toBeVisible();
  await pasted.fill("Nor this one\t3");
  await page.getByRole("button", { name: "Save and Send" }).click();
  await page.getByRole("button", { name: "Send Without It" }).click();
  await expect(page.getByText(/^Quote Q\d{4}-\d{4,} sent$/).first()).toBeVisible();
  const [sent] = await dataOf(member.client.rpc("list_own_quotes"));
  expect(sent).toMatchObject({ institution: "Castle Road School", status: "sent", total: 2500 });
  await expect(page.getByRole("button", { name: "Send Quote" })).toBeHidden();
  await expect(pasted).toHaveValue("Nor this one\t3");
  await expect(page.getByText(/is back\.$/)).toBeHidden();
  await page.reload();
  await expect(pasted).toHaveValue("Nor this one\t3");
  await expect(page.getByText(/^Your text of .* is back\.$/)).toBeVisible();

  await page.getByRole("link", { name: "Use Again" }).click();
  await expect(page.getByLabel("School, institution or person")).toHaveValue("Castle Road School");
  await page.getByRole("button", { name: "Create Quote" }).click();
  await expect(page.getByText("Draft", { exact: true })).toBeVisible();
  await expect(page.getByLabel(`Quantity of ${maths.title}`)).toHaveValue("30");
  await openAdmin(page, "/admin/quotes?q=Castle", "Quotes");
  await expect(page.getByRole("link", { name: "New quote for Castle Road School" }).first()).toBeVisible();
});

test("staff quote a customer who has only a phone number, who reads it by a link and accepts it with an account", async ({
  page,
  context,
  browser,
  member,
  admin,
  signIn,
}) => {
  test.setTimeout(120_000);
  const school = newTitle("Chapel School");
  const maths = await addBook(admin.client, { price: 50, stock_quantity: 100 });
  await signIn(context, admin);
  await openAdmin(page, "/admin/quotes/new", "New Quote");
  await page.getByLabel("School, institution or person").fill(school);
  await page.getByLabel("Contact person").fill("The bursar");
  await page.getByLabel("Phone").fill("0244123456");
  await page.getByRole("button", { name: "Create Quote" }).click();
  await page.getByRole("searchbox", { name: "Add a book" }).fill(maths.title);
  await page.getByRole("button", { name: `Add ${maths.title}` }).click();
  const region = page.getByLabel("Region (optional)");
  await expect(region).toHaveAccessibleDescription("The delivery fee is the same in every region");
  await page.getByLabel("Delivery fee").selectOption("An agreed amount");
  await expect(region).toHaveAccessibleDescription("Leave it empty to charge the agreed fee in every region");
  await region.selectOption("Volta");
  await page.getByLabel("Agreed fee, in cedis").fill("25");
  await expect(
    page.getByText("We have no email address for this customer, so share a link with them."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Save and Send" }).click();
  const stop = page.getByRole("button", { name: "Stop All Links" });
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(/^Quote Q\d{4}-\d{4,}$/);
  await expect(page).toHaveTitle(`${await heading.textContent()} | Admin Panel | Adwene Books`);
  await expect(page.getByRole("button", { name: "Create Link" })).toBeVisible();
  await expect(stop).toBeHidden();
  await page.getByRole("button", { name: "Create Link" }).click();
  await expect(stop).toBeVisible();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await expect(page.getByRole("link", { name: "Send by WhatsApp" })).toHaveAttribute(
    "href",
    /^https:\/\/wa\.me\/233244123456\?text=.*%23[0-9a-f]{32}$/,
  );
  await expectAccessibleAtWidths(page, [360, 1280]);

  const reader = await browser.newPage();
  await reader.goto(link);
  await expect(reader.getByRole("heading", { name: "Pro-forma invoice" })).toBeVisible();
  await expect(reader.getByRole("article")).toContainText(school);
  await expect(reader.getByRole("article")).toContainText("GH₵25.00");
  await expect(reader.getByRole("article")).not.toContainText("Delivery is free");
  await expectAccessibleAtWidths(reader, [360, 1280]);
  await reader.getByRole("link", { name: "Sign In to Accept" }).click();
  await reader.getByLabel("Email").fill(member.email);
  await reader.getByLabel("Password").fill(member.password);
  await reader.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(reader).toHaveURL(link);
  await reader.getByRole("button", { name: "Add to This Account" }).click();
  await expect(reader.getByRole("button", { name: "Accept and Order" })).toBeVisible();
  await expect(reader.getByLabel("Email")).toHaveValue(member.email);
  expect(reader.url()).not.toContain("#");

  const late = await browser.newPage();
  await late.goto(link);
  await expect(late.getByRole("heading", { name: "This Link No Longer Works" })).toBeVisible();

  await openAdmin(page, `/admin/quotes?q=${school}`, "Quotes");
  await expect(page).toHaveTitle(/^Quotes \| Admin Panel/);
  await page.getByRole("link", { name: new RegExp(school) }).click();
  await expect(page.getByRole("link", { name: member.email })).toHaveAttribute(
    "href",
    `/admin/users/${member.id}`,
  );
  await expectAccessibleAtWidths(page, [360, 1280]);
  await page.getByRole("button", { name: "Remove from Account" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove from Account" }).click();
  await expect(page.getByText("Links stopped")).toBeVisible();
  await reader.reload();
  await expect(reader.getByRole("heading", { name: "Quote Not Found" })).toBeVisible();
});
