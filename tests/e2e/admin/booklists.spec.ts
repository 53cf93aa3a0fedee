import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { addBook, dataOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

const linesOf = (page: Page) =>
  page.getByRole("list", { name: "Lines of the booklist" }).getByRole("listitem");

async function booksWithIsbn(admin: Member, count: number) {
  const books = await dataOf(
    admin.client.from("books").select("id, title, isbn").like("isbn", "97%").order("id").limit(count),
  );
  expect(books).toHaveLength(count);
  return books;
}

async function newList(admin: Member, lines: object[]) {
  const school = `School ${randomUUID().slice(0, 8)}`;
  const list = await dataOf(
    admin.client.rpc("save_booklist", {
      _school: school,
      _class_name: "Class 4",
      _school_year: "2026/2027",
      _lines: lines as never,
    }),
  );
  return { ...list, heading: `${school}, Class 4` };
}

test("a 30-line list is made from a pasted column and published with four clicks", async ({
  page,
  admin,
}) => {
  const books = await booksWithIsbn(admin, 30);
  const school = `School ${randomUUID().slice(0, 8)}`;
  await openAdmin(page, "/admin/booklists", "Booklists");
  await page.evaluate(() => {
    Object.assign(window, { presses: 0 });
    window.addEventListener(
      "click",
      () => Object.assign(window, { presses: Reflect.get(window, "presses") + 1 }),
      true,
    );
  });
  await page.getByRole("link", { name: "New booklist" }).click();
  await expect(page.getByLabel("School", { exact: true })).toBeFocused();
  await page.keyboard.type(school);
  await page.keyboard.press("Tab");
  await page.keyboard.type("JHS 1");

  await page.getByRole("button", { name: "Paste a column of ISBNs" }).click();
  await expect(page.getByLabel("ISBNs or titles, one on each line")).toBeFocused();
  const column = books.map(({ isbn }, at) => `${isbn}\t${(at % 3) + 1}`);
  await page.keyboard.insertText([...column, "9780000000002\t1", column[0]].join("\n"));
  await page.getByRole("button", { name: "Add 32 lines" }).click();
  await expect(
    page.getByText("30 lines added, 0 to choose, 1 not found, 1 on the list already"),
  ).toBeVisible();
  await expect(page.getByText("Line 31: 9780000000002")).toBeVisible();
  await expect(linesOf(page)).toHaveCount(30);

  await page.getByRole("button", { name: "Save and publish" }).click();
  await expectMessage(page, "Booklist published");
  expect(await page.evaluate(() => Reflect.get(window, "presses"))).toBe(4);
  await expect(page).toHaveURL(/\/admin\/booklists\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1, name: `${school}, JHS 1` })).toBeVisible();
  await expect(linesOf(page)).toHaveCount(30);
  const [row] = await dataOf(admin.client.rpc("admin_list_booklists", { _q: school }));
  expect(row).toMatchObject({ status: "published", lines: 30, class_name: "JHS 1" });

  await page.getByRole("link", { name: "All booklists" }).click();
  await page.getByRole("searchbox").fill(school);
  const found = page.getByRole("table", { name: "Booklists" }).getByRole("row").filter({ hasText: school });
  await expect(found).toContainText("Published");
});

test("books are added, moved and marked as required by keyboard, and another editor's save is not overwritten", {
  tag: "@gate",
}, async ({ page, admin, consoleLines }) => {
  consoleLines.expect(/Failed to save booklist \(BackendFailure: 409 booklist_changed\)/);
  const [first, second] = await booksWithIsbn(admin, 2);
  if (!first || !second) throw new Error("The demo shop has no books");
  const list = await newList(admin, [{ title: "A ruler" }]);
  await openAdmin(page, `/admin/booklists/${list.id}`, list.heading);
  const search = page.getByRole("combobox", { name: "Add a book by title, author or ISBN" });
  await search.focus();
  // As a scanner does it: Enter comes before any suggestion.
  await page.keyboard.insertText(first.isbn ?? "");
  await page.keyboard.press("Enter");
  await expect(linesOf(page)).toHaveCount(2);
  await expect(search).toHaveValue("");
  await page.keyboard.type(second.title);
  await expect(page.getByRole("option", { name: second.title }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(linesOf(page)).toHaveCount(3);
  await page.keyboard.type("House T-shirt of no book");
  await page.getByRole("option", { name: "Add “House T-shirt of no book” as text (not sold here)" }).click();
  await expect(linesOf(page)).toHaveCount(4);

  await page.getByLabel("Note on A ruler").focus();
  await page.keyboard.type("30 cm");
  await page.keyboard.press("Alt+ArrowDown");
  await expect(linesOf(page).nth(1)).toContainText("A ruler");
  await expect(page.getByLabel("Note on A ruler")).toBeFocused();
  await page.getByRole("button", { name: "Move House T-shirt of no book up" }).click();
  await page.getByRole("checkbox", { name: "A ruler is required" }).uncheck();
  await page.getByLabel("Copies of A ruler per pupil").fill("0");
  const save = page.getByRole("button", { name: "Save", exact: true }).first();
  await save.click();
  await expectMessage(page, "Please correct the marked fields.");
  await page.getByLabel("Copies of A ruler per pupil").fill("2");
  await save.click();
  await expectMessage(page, "Booklist saved");
  const stored = async () =>
    dataOf(
      admin.client
        .from("booklist_lines")
        .select("title, copies, is_required, note")
        .eq("booklist_id", list.id)
        .order("position"),
    );
  const lines = await stored();
  expect(lines.map(({ title }) => title)).toEqual([
    first.title,
    "A ruler",
    "House T-shirt of no book",
    second.title,
  ]);
  expect(lines[1]).toMatchObject({ copies: 2, is_required: false, note: "30 cm" });

  const { updated_at } = await dataOf(
    admin.client.from("booklists").select("updated_at").eq("id", list.id).single(),
  );
  await dataOf(
    admin.client.rpc("save_booklist", {
      _id: list.id,
      _updated_at: updated_at,
      _school: list.school,
      _class_name: "Class 4",
      _school_year: "2026/2027",
      _lines: [{ title: "Theirs" }],
    }),
  );
  await page.getByLabel("Note on A ruler").fill("15 cm");
  await save.click();
  const warning = page.getByRole("alert").filter({ hasText: "Someone else has saved this booklist" });
  await expect(warning).toBeVisible();
  await expect(page.getByLabel("Note on A ruler")).toHaveValue("15 cm");
  expect(await stored()).toMatchObject([{ title: "Theirs" }]);
  await warning.getByRole("button", { name: "Load their version" }).click();
  await expect(linesOf(page)).toHaveCount(1);
  await expect(linesOf(page)).toContainText("Theirs");
});

test("last year's list is copied with its newer editions pointed out, published and withdrawn", async ({
  page,
  admin,
}) => {
  const title = `Physics ${randomUUID().slice(0, 8)}`;
  const edition = (edition: string) => addBook(admin.client, { title, edition });
  const [old, newer] = [await edition("1st Edition"), await edition("2nd Edition")];
  const list = await newList(admin, [{ book_id: old.id }]);
  await openAdmin(page, `/admin/booklists/${list.id}`, list.heading);
  await page.getByRole("button", { name: "Copy for 2027/2028" }).click();
  await expectMessage(page, "Copied for 2027/2028");
  await expect(page.getByLabel("School year")).toHaveValue("2027/2028");
  await page.getByRole("button", { name: `Use the newer edition of ${title}` }).click();
  await expect(linesOf(page)).toContainText("2nd Edition");
  await page.getByRole("button", { name: "Save and publish" }).click();
  await expectMessage(page, "Booklist published");
  const copyId = page.url().split("/").at(-1) ?? "";
  const { data: line } = await admin.client
    .from("booklist_lines")
    .select("book_id")
    .eq("booklist_id", copyId)
    .single();
  expect(line).toEqual({ book_id: newer.id });
  await expect(page.getByRole("heading", { name: "What this list brought in" })).toBeVisible();

  await page.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw" }).click();
  await expectMessage(page, "Booklist withdrawn");
  await page.getByLabel("Note on Physics").fill("Unsaved");
  await page.getByRole("link", { name: "All booklists" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Booklists" })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel("Note on Physics")).toHaveValue("Unsaved");
});

test("axe finds nothing on the pages of booklists", async ({ page, admin }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const check = async () => {
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectAccessibleAtWidths(page);
  };
  await openAdmin(page, "/admin/booklists", "Booklists");
  await expect(page.getByRole("table", { name: "Booklists" }).getByRole("row").nth(1)).toBeVisible();
  await check();
  const books = await booksWithIsbn(admin, 4);
  const list = await newList(admin, [...books.map(({ id }) => ({ book_id: id })), { title: "A ruler" }]);
  await openAdmin(page, `/admin/booklists/${list.id}`, list.heading);
  await page.getByRole("button", { name: "Paste a column of ISBNs" }).click();
  await page.getByLabel("ISBNs or titles, one on each line").fill(`${books[0]?.isbn}\nUnknown`);
  await page.getByRole("button", { name: "Add 2 lines" }).click();
  await expect(page.getByText("Line 2: Unknown")).toBeVisible();
  await check();
  await page.getByRole("combobox", { name: /^Add a book/ }).fill(books[0]?.title ?? "");
  await expect(page.getByRole("option").first()).toBeVisible();
  await check();
});
