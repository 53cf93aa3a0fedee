import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import sharp from "sharp";
import { openWorkbook } from "#app/lib/tables/read-workbook.ts";
import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { csvLine } from "#shared/tables/csv.ts";
import { addBook, newIsbn, newTitle } from "#tests/support/factories.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { inWindows1252 } from "#tests/support/old-encodings.ts";
import { makeSupplierList } from "#tests/support/supplier-list.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { giveRole, openAdmin } from "./back-office.ts";

const heading = "Import Books";

let codes = 0;
/** A shop's own code that no other test uses. */
function newCode(): string {
  codes += 1;
  return `IMP-${process.pid.toString(36)}-${Date.now().toString(36)}-${codes}`;
}

async function chooseFile(page: Page, name: string, content: string | Buffer) {
  await page.getByLabel("CSV file").setInputFiles({
    name,
    mimeType: "text/csv",
    buffer: typeof content === "string" ? Buffer.from(content) : content,
  });
}

/** Opens the page, chooses a file and has its rows checked. */
async function checkFile(page: Page, name: string, content: string) {
  await openAdmin(page, "/admin/books/import", heading);
  await chooseFile(page, name, content);
  await page.getByRole("button", { name: "Check rows" }).click();
  await expect(page).toHaveURL(/[?&]id=/);
  await expect(page.getByRole("heading", { name: "Row by row" })).toBeVisible();
}

/** Clicks Import and confirms. */
async function confirmImport(page: Page) {
  await page.getByRole("button", { name: /^Import [\d,]+ books?$/ }).click();
  await page
    .getByRole("alertdialog", { name: "Import these books?" })
    .getByRole("button", { name: "Import", exact: true })
    .click();
}

async function findByCode(admin: Member, code: string) {
  const { data, error } = await admin.client
    .from("books")
    .select("title, price, stock_quantity, publisher, subject")
    .eq("isbn", code);
  if (error) throw error;
  return data[0] ?? null;
}

const planRow = (page: Page, text: string) =>
  page.getByRole("table", { name: "Rows of the file" }).getByRole("row").filter({ hasText: text });

test.describe("an import", () => {
  // One after the other: only the last import of a shop can be undone.
  test.describe.configure({ mode: "serial" });
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  test("maps columns, shows old and new price and stock and each problem, then imports, and can be undone", async ({
    page,
    admin,
  }) => {
    const [existing, fresh, free, bad] = [newCode(), newCode(), newCode(), newCode()];
    const title = newTitle("Reader");
    await addBook(admin.client, {
      title,
      isbn: existing,
      price: 45,
      stock_quantity: 1_200,
      publisher: "Collins",
    });
    const file = [
      "Code;Naam;Selling price;Qty;Weight",
      `${existing};${title};GH₵60.00;8;A1`,
      `${fresh};"${title}; new, ɛ";12.5;3;A2`,
      `${free};${title} defaults;;;A3`,
      `${bad};${title} bad;free of charge;2;A4`,
      `${newCode()};${title} shifted;5;2;A5;too many`,
    ].join("\r\n");

    await openAdmin(page, "/admin/books", "Book Management");
    await page.getByRole("link", { name: "Import a file" }).click();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    await chooseFile(page, "term-2.csv", file);
    await expect(page.getByText(/term-2.csv has 5 rows/)).toBeVisible();
    await expect(page.getByLabel("Selling price is")).toHaveValue("price");
    await expect(page.getByLabel("Qty is")).toHaveValue("stock_quantity");
    await expect(page.getByLabel("Weight is")).toHaveValue("");
    await expect(page.getByRole("alert")).toContainText("Say which column is the title or the ISBN.");
    await expect(page.getByRole("button", { name: "Check rows" })).toBeDisabled();
    await page.getByLabel("Code is").selectOption("ISBN");
    await page.getByLabel("Naam is").selectOption("Title");
    await page.getByLabel("Price (GH₵)").fill("a lot");
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByText("Price must be an amount such as 49.50")).toBeVisible();
    await page.getByLabel("Price (GH₵)").fill("20");
    await page.getByLabel("Publisher", { exact: true }).fill("Skoldo");
    await page.getByLabel("Also replace the stock of existing books").check();
    await page.getByRole("button", { name: "Check rows" }).click();

    await expect(page.getByText(/2 books are new, 1 book would change/)).toContainText(
      "The stock of 1 book changes.",
    );
    await expect(planRow(page, "bad")).toContainText("is not an amount of 0 or more.");
    await expect(planRow(page, `${title} shifted · 5 · 2`)).toContainText(
      "The row has more cells than there are headings.",
    );
    await page.getByRole("link", { name: "Changes 1" }).click();
    await expect(page).toHaveURL(/show=update/);
    await expect(planRow(page, existing)).toContainText(/from GH₵45.00 → +to GH₵60.00/);
    await expect(planRow(page, existing)).toContainText(/from 1,200 → +to 8/);
    await page.getByRole("link", { name: "New books 2" }).click();
    await expect(planRow(page, "defaults")).toContainText("GH₵20.00");
    await expect(planRow(page, "defaults")).toContainText("Publisher: Skoldo");
    // Nothing has changed yet.
    expect(await findByCode(admin, existing)).toMatchObject({ price: 45, stock_quantity: 1_200 });
    expect(await findByCode(admin, fresh)).toBeNull();

    await expect(page.getByRole("button", { name: "Import 3 books" })).toBeDisabled();
    await page.getByLabel("Leave out 2 rows with problems and import the others").check();
    await confirmImport(page);
    await expectMessage(page, "Books imported", "2 added, 1 changed");
    await expect(page.getByText("term-2.csv has been imported")).toBeVisible();
    await expect(page.getByText(/: 2 books added, 1 changed, 0 unchanged$/)).toBeVisible();
    await expect(page.getByText("Not imported: 2 rows with problems")).toBeVisible();
    expect(await findByCode(admin, existing)).toMatchObject({
      price: 60,
      stock_quantity: 8,
      publisher: "Collins",
    });
    expect(await findByCode(admin, fresh)).toMatchObject({ title: `${title}; new, ɛ`, price: 12.5 });
    expect(await findByCode(admin, free)).toMatchObject({
      price: 20,
      stock_quantity: 0,
      publisher: "Skoldo",
    });
    expect(await findByCode(admin, bad)).toBeNull();

    await page.getByRole("button", { name: "Undo this import" }).click();
    await page
      .getByRole("alertdialog", { name: "Undo this import?" })
      .getByRole("button", { name: "Undo", exact: true })
      .click();
    await expectMessage(page, "Import undone", "2 books deleted, 1 changed back, 0 kept");
    await expect(page.getByText("term-2.csv was imported and undone")).toBeVisible();
    expect(await findByCode(admin, existing)).toMatchObject({ price: 45, stock_quantity: 1_200 });
    expect(await findByCode(admin, fresh)).toBeNull();
  });

  test("imports 10,000 rows in one go, in requests that every backend accepts, with progress, and undoes them", async ({
    page,
    admin,
  }) => {
    test.setTimeout(240_000);
    const words = newTitle("Bulk");
    const rows = Array.from(
      { length: 10_000 },
      (_, n) =>
        `${words} ${n},${newCode()},${n % 90}.50,${n % 40},"A course for one year, with exercises. ${n}"`,
    );
    const sizes: number[] = [];
    page.on("request", (request) => {
      if (request.url().includes("stage_book_import_rows")) sizes.push(request.postDataBuffer()?.length ?? 0);
    });
    await openAdmin(page, "/admin/books/import", heading);
    await chooseFile(page, "bulk.csv", `title,isbn,price,stock,description\n${rows.join("\n")}`);
    await expect(page.getByText(/bulk.csv has 10,000 rows/)).toBeVisible();
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByText(/^[1-9][\d,]* of 10,000 rows sent$/)).toBeVisible();
    // The page stays responsive.
    await page.getByRole("button", { name: "Toggle sidebar" }).click();
    await expect(page.getByText(/10,000 books are new/)).toBeVisible({ timeout: 60_000 });
    expect(Math.max(...sizes)).toBeLessThan(128 * 1024);
    expect(sizes.length).toBeGreaterThan(10);
    await page.getByRole("link", { name: "Next 50 rows" }).click();
    await expect(planRow(page, `${words} 50`).first()).toBeVisible();
    await expect(planRow(page, `${words} 0`)).toHaveCount(0);

    await confirmImport(page);
    await expect(page.getByText("bulk.csv has been imported")).toBeVisible({ timeout: 90_000 });
    const count = async () => (await admin.client.rpc("admin_count_books", { _q: words })).data;
    expect(await count()).toBe(10_000);
    await page.getByRole("button", { name: "Undo this import" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo", exact: true }).click();
    await expect(page.getByText("bulk.csv was imported and undone")).toBeVisible({ timeout: 90_000 });
    expect(await count()).toBe(0);
  });

  test("reads a supplier's list as it is and returns every row left out, to repair and import", async ({
    page,
    admin,
  }) => {
    test.setTimeout(240_000);
    const { text, fates } = makeSupplierList((Date.now() % 900) + 50);
    const good = fates.flatMap(({ book }) => (book ? [book] : []));
    const bad = fates.filter(({ reason, notABook }) => reason && !notABook);
    const others = fates.filter(({ notABook }) => notABook);
    const count = async () => (await admin.client.rpc("admin_count_books")).data ?? 0;
    const before = await count();
    await openAdmin(page, "/admin/books/import", heading);
    await chooseFile(page, "supplier.csv", inWindows1252(text));
    await expect(page.getByText(/it was read as Windows text/)).toBeVisible();
    await expect(page.getByLabel("Subject (column 7) is")).toHaveValue("");
    await page.getByLabel("Subject (column 7) is").selectOption("subject");
    await expect(page.getByLabel("Subject (column 8) is")).toHaveValue("");
    await page.getByRole("button", { name: "Check rows" }).click();
    const numbers = (many: number) => many.toLocaleString("en-GB");
    await expect(page.getByText(`${numbers(good.length)} books are new`)).toBeVisible({ timeout: 60_000 });
    const download = async (what = "with problems", name = "supplier-to-repair.csv") => {
      const button = page.getByRole("button", { name: new RegExp(`^Download .* ${what}$`) });
      const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
      expect(file.suggestedFilename()).toBe(name);
      const rows = parse(await readFile(await file.path()), {
        bom: true,
        relax_column_count: true,
      }) as string[][];
      return { headings: rows[0] ?? [], rows: rows.slice(1) };
    };
    const { rows } = await download();
    expect(rows.map(([line]) => Number(line))).toEqual(bad.map(({ line }) => line));
    rows.forEach(([, reason], at) => {
      expect(reason).toContain(bad[at]?.reason);
    });
    await page.getByRole("link", { name: `Left out ${others.length}` }).click();
    const left = await download("left out", "supplier-left-out.csv");
    expect(left.rows.map(([line]) => Number(line))).toEqual(others.map(({ line }) => line));
    await page
      .getByLabel(`Leave out ${numbers(bad.length)} rows with problems and import the others`)
      .check();
    await confirmImport(page);
    await expect(page.getByText("supplier.csv has been imported")).toBeVisible({ timeout: 60_000 });
    expect(await count()).toBe(before + good.length);
    for (const book of good.filter((_, at) => at % 50 === 0)) {
      const { data } = await admin.client
        .from("books")
        .select("isbn, publisher, price")
        .eq("title", book.title);
      expect(data).toContainEqual({ isbn: book.isbn, publisher: book.publisher, price: book.price });
    }

    // Still there after the import; corrected, they come in.
    const later = await download();
    expect(later.rows).toEqual(rows);
    const free = later.rows.filter(([, reason]) => reason === "The price is missing.").slice(0, 5);
    const repaired = free.map((cells) => cells.with(later.headings.indexOf("Unit Price (GH?)"), "1.234,50"));
    await page.getByRole("link", { name: "Import another file" }).click();
    await chooseFile(page, "supplier-to-repair.csv", [later.headings, ...repaired].map(csvLine).join(""));
    await page.getByLabel("Subject (column 7) is").selectOption("subject");
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByText("5 books are new")).toBeVisible();
    await confirmImport(page);
    await expect(page.getByText("supplier-to-repair.csv has been imported")).toBeVisible();
    for (const name of ["supplier-to-repair.csv", "supplier.csv"]) {
      await openAdmin(page, "/admin/books/import", heading);
      await expect(page.getByRole("region", { name: "Last import" })).toContainText(name);
      await page.getByRole("button", { name: "Undo this import" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo", exact: true }).click();
      await expectMessage(page, "Import undone");
    }
    expect(await count()).toBe(before);
  });

  test("resumes where sending stopped, survives leaving and reloading, and applies once even if the response was lost", async ({
    page,
    admin,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to send the rows/);
    const words = newTitle("Parts");
    const rows = Array.from({ length: 700 }, (_, n) => `${words} ${n},${(n % 90) + 1},1`);
    const stage = /rpc\/stage_book_import_rows/;
    let requested = 0;
    await page.route(stage, async (route) => {
      requested += 1;
      if (requested === 2) await route.fulfill({ status: 403, json: { code: "42501", message: "x" } });
      else await route.continue();
    });
    await openAdmin(page, "/admin/books/import", heading);
    await chooseFile(page, "parts.csv", `title,price,stock\n${rows.join("\n")}`);
    await page.getByRole("button", { name: "Check rows" }).dblclick();
    await expectMessage(page, "Failed to send the rows");
    await expect(page.getByText("500 of 700 rows sent")).toBeVisible();
    await expect(
      page.getByText("The upload was interrupted. Nothing has changed in the shop."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByText(/700 books are new/)).toBeVisible();
    expect(requested).toBe(3);

    await page.reload();
    await expect(page.getByText(/700 books are new/)).toBeVisible();
    await page.getByRole("link", { name: "Back to books" }).click();
    await page.getByRole("link", { name: "Import a file" }).click();
    await page.getByRole("link", { name: "Continue with it" }).click();
    await expect(page.getByText(/700 books are new/)).toBeVisible();

    await page.route(/rpc\/apply_book_import/, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await confirmImport(page);
    await expectMessage(page, "Books imported");
    await expect(page.getByText("parts.csv has been imported")).toBeVisible();
    expect((await admin.client.rpc("admin_count_books", { _q: words })).data).toBe(700);
    await openAdmin(page, "/admin/books/import", heading);
    await expect(page.getByRole("link", { name: "Continue with it" })).toBeHidden();
    await expect(page.getByRole("region", { name: "Last import" })).toContainText("parts.csv");
  });

  test("cannot be confirmed half-finished when it was left while its rows were being sent", async ({
    page,
    admin,
  }) => {
    const words = newTitle("Half");
    const rows = Array.from({ length: 700 }, (_, n) => `${words} ${n},5,1`);
    let importId = "";
    let requested = 0;
    await page.route(/rpc\/stage_book_import_rows/, async (route) => {
      requested += 1;
      importId = route.request().postDataJSON()._import_id;
      // The second part never arrives.
      if (requested === 1) await route.continue();
    });
    await openAdmin(page, "/admin/books/import", heading);
    await chooseFile(page, "half.csv", `title,price,stock\n${rows.join("\n")}`);
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(page.getByText("500 of 700 rows sent")).toBeVisible();
    await page.goto(`/admin/books/import?id=${importId}`);
    await expect(page.getByText(/only a part of it arrived/)).toBeVisible();
    await expect(page.getByRole("button", { name: /^Import/ })).toBeHidden();
    await page.getByRole("link", { name: "Choose the file again" }).click();
    await expect(page.getByLabel("CSV file")).toBeVisible();
    await expect(page.getByRole("link", { name: "Continue with it" })).toBeHidden();
    expect((await admin.client.rpc("admin_count_books", { _q: words })).data).toBe(0);

    await page.goto(`/admin/books/import?id=${crypto.randomUUID()}`);
    await expect(page.getByText(/This import no longer exists/)).toBeVisible();
  });

  test("staff import a sheet of an Excel workbook, and an export leaves what has changed in the shop since", async ({
    page,
    admin,
  }) => {
    const [title, isbn] = [newTitle("Sheet"), newIsbn().isbn13.replaceAll("-", "")];
    const text = (...cells: string[]) => cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join("");
    const books = `<row>${text("Title", "ISBN", "Price", "Stock")}</row><row>${text(`=${title}`)}<c><v>${isbn}</v></c><c><f>B1*2</f><v>45.5</v></c><c><v>12</v></c></row>`;
    await openAdmin(page, "/admin/books/import", heading);
    await page.getByLabel("CSV file").setInputFiles({
      name: "books.xlsx",
      mimeType: "application/octet-stream",
      buffer: await makeWorkbook({ Notes: `<row>${text("Valid until June")}</row>`, "Price list": books }),
    });
    await expect(page.getByText("books.xlsx has 2 sheets. Which one do you want to import?")).toBeVisible();
    await expectAccessibleAtWidths(page);
    await page.getByRole("button", { name: "Price list" }).click();
    await expect(page.getByText("books.xlsx, sheet Price list, has 1 row.")).toBeVisible();
    await page.getByRole("button", { name: "Check rows" }).click();
    await confirmImport(page);
    await expectMessage(page, "Books imported", "1 added, 0 changed");

    await openAdmin(page, `/admin/books?q=${isbn}`, "Book Management");
    await expect(page.getByText("Export 1 matching book")).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Excel" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^books-matching-[\d-]+\.xlsx$/);
    const exported = await openWorkbook(new Uint8Array(await readFile(await download.path())));
    const [headings, row] = await exported.read("Sheet1", 9);
    const cell = (heading: string) => row?.cells[headings?.cells.indexOf(heading) ?? -1];
    expect([
      cell("Title"),
      cell("ISBN")?.replaceAll("-", ""),
      cell("Price (GH₵)"),
      cell("Stock Quantity"),
    ]).toEqual([...[`=${title}`, isbn, "45.5", "12"]]);

    const changed = await admin.client
      .from("books")
      .update({ price: 50, subject: "Physics", edition: "2nd" })
      .eq("title", `=${title}`);
    expect(changed.error).toBeNull();
    await openAdmin(page, "/admin/books/import", heading);
    await page.getByLabel("CSV file").setInputFiles(await download.path());
    await page.getByRole("button", { name: "Check rows" }).click();
    await expect(
      page.getByText("1 book was changed in the shop since the export; those changes stay."),
    ).toBeVisible();
    await expect(page.getByText("There is nothing to import.")).toBeVisible();
    await expect(
      page.getByText("Changed in the shop since the export and kept: Price (GH₵)", { exact: true }),
    ).toBeVisible();
    await expectAccessibleAtWidths(page);
  });

  test("refuses files that are not tables with a message", async ({ page }) => {
    await openAdmin(page, "/admin/books/import", heading);
    for (const [content, words] of [
      ["", "The file is empty."],
      ["title,price\n", "The file has headings and no rows."],
      ["PK\u0003\u0004", "The file is damaged or incomplete. Save it again, and choose it again."],
      [
        `title\n${"a\n".repeat(MAX_ROWS_AT_ONCE + 1)}`,
        "The file has 20,001 rows. Split it into files of at most 20,000.",
      ],
    ] as const) {
      await chooseFile(page, "odd.csv", content);
      await expect(page.getByRole("alert")).toHaveText(words);
    }
    await chooseFile(page, "good.csv", "title,price\nA,5");
    await expect(page.getByText(/good.csv has 1 row\b/)).toBeVisible();
  });

  test("works by keyboard and axe finds nothing at any step", async ({ page, admin }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const code = newCode();
    const title = newTitle("Keys");
    await addBook(admin.client, { title, isbn: code, price: 45, stock_quantity: 4 });
    const check = async () => {
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectAccessibleAtWidths(page);
    };
    const press = async (name: string | RegExp) => {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await openAdmin(page, "/admin/books/import", heading);
    await check();
    await chooseFile(
      page,
      "keys.csv",
      `title,isbn,price,stock,subject\n${title},${code},60,8,Geography\nNo price,${newCode()},,1,\n`,
    );
    await expect(page.getByLabel("title is")).toHaveValue("title");
    await check();
    await press("Check rows");
    await expect(planRow(page, "No price")).toContainText("The price is missing.");
    await check();
    await page.getByRole("link", { name: "Changes 1" }).focus();
    await page.keyboard.press("Enter");
    await expect(planRow(page, title)).toContainText("Geography");
    await expect(
      page.getByText("The file gives a different stock for 1 book that the shop already has"),
    ).toBeVisible();
    await check();
    await page.getByLabel(/^Leave out 1 row/).focus();
    await page.keyboard.press("Space");
    await press("Import 1 book");
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await expectAccessibleAtWidths(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByText("keys.csv has been imported")).toBeVisible();
    await check();
    expect(await findByCode(admin, code)).toMatchObject({
      price: 60,
      stock_quantity: 4,
      subject: "Geography",
    });
  });

  test("copies linked covers into the shop, and reports which it can't", async ({ page, admin }) => {
    const [code, lost, title] = [newCode(), newCode(), newTitle("Linked")];
    const linked = (name: string) => `https://covers.example/${name}.png`;
    const create = { width: 900, height: 900, channels: 3, background: "#7a1f1f" } as const;
    const picture = await sharp({ create }).png().toBuffer();
    const refusal = {
      code: "PT422",
      message: "The other website responded with 404.",
      details: '{"code":"refused"}',
    };
    // Other tests' books have links too: only this one's lead to a picture.
    await page.route("**/admin/linked-covers", (route) =>
      route.request().postDataJSON().url === linked(code)
        ? route.fulfill({ body: picture, contentType: "image/png" })
        : route.fulfill({ status: 422, json: refusal }),
    );
    const row = (isbn: string, name: string) => `${name},${isbn},5,${linked(isbn)}\n`;
    await checkFile(
      page,
      "linked.csv",
      `title,isbn,price,image_url\n${row(code, title)}${row(lost, `${title} lost`)}`,
    );
    await confirmImport(page);
    await expect(page.getByText("linked.csv has been imported")).toBeVisible();
    await page.getByRole("button", { name: "Copy Covers into the Shop" }).press("Enter");
    await expect(page.getByText("1 cover copied", { exact: true })).toBeVisible();
    await page.getByText(/covers? could not be copied/).click();
    await expect(page.getByText(`${title} lost: The other website responded with 404.`)).toBeVisible();
    await expectAccessibleAtWidths(page);
    const coverOf = async (isbn: string) =>
      (await admin.client.from("books").select("image_url").eq("isbn", isbn).single()).data?.image_url ?? "";
    expect(await coverOf(lost)).toBe(linked(lost));
    const copied = await coverOf(code);
    expect(copied).toContain("/storage/v1/object/public/book-covers/book-cover-");
    const { width, height, format } = await sharp(
      Buffer.from(await (await fetch(copied)).bytes()),
    ).metadata();
    expect({ width, height, format }).toEqual({ width: 675, height: 900, format: "jpeg" });
    // Other tests' pages would wait for a website that doesn't exist.
    await admin.client.from("books").update({ image_url: null }).eq("isbn", lost).throwOnError();
  });
});

test("an admin whose role is removed cannot import anything and is redirected to the home page", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to import books/);
  await giveRole(admin, member.id, "admin");
  await signIn(context, member);
  const code = newCode();
  await checkFile(page, "lost.csv", `title,isbn,price\nLost role,${code},5\n`);
  await giveRole(admin, member.id, "user");
  await confirmImport(page);
  await expect(page).toHaveURL(/\/$/);
  expect(await findByCode(admin, code)).toBeNull();
});
