import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addBook, dataOf, newIsbn, newTitle } from "#tests/support/factories.ts";
import { inWindows1252 } from "#tests/support/old-encodings.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

const planRow = (page: Page, text: string) =>
  page.getByRole("table", { name: "Lists of the file" }).getByRole("row").filter({ hasText: text });

const chooseFile = (page: Page, content: string) =>
  page
    .getByLabel("CSV file")
    .setInputFiles({ name: "lists.csv", mimeType: "text/csv", buffer: inWindows1252(content) });

async function confirmImport(page: Page, button: string) {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import", exact: true }).click();
}

/** The lines of a school's lists, by title. */
async function storedLines({ client }: Member, school: string) {
  const lists = await dataOf(
    client.from("booklists").select("id, class_name, status").eq("school", school).order("class_key"),
  );
  const lines = await dataOf(
    client
      .from("booklist_lines")
      .select("booklist_id, title, copies")
      .in(
        "booklist_id",
        lists.map(({ id }) => id),
      )
      .order("title"),
  );
  return lines.map(({ booklist_id, ...line }) => {
    const list = lists.find(({ id }) => id === booklist_id);
    return { ...line, class_name: list?.class_name, status: list?.status };
  });
}

test("a school's file of many lists is checked and published, with a file of those left out to repair, and changes nothing when it is imported again", async ({
  page,
  admin,
}) => {
  const isbn = newIsbn().isbn13;
  const maths = await addBook(admin.client, { title: newTitle("Maths"), isbn });
  const school = `École ${randomUUID().slice(0, 8)}`;
  const rows = (copies: number) => [
    "Name of school;Grade;Academic year;ISBN;Book title;Qty;Compulsory;Remarks",
    `${school};JHS 1;2026-27;${isbn};;${copies};yes;Covered`,
    `${school};JHS 1;2026-27;;Règle de 30 cm;;no;`,
    `${school};JHS 2;2026-27;${isbn};;many;;`,
    `${school};JHS 2;2026-27;;A pen;;;`,
  ];
  await openAdmin(page, "/admin/booklists", "Booklists");
  await page.getByRole("link", { name: "Import a file" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Import booklists" })).toBeVisible();
  const template = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download a CSV template" }).click();
  expect((await template).suggestedFilename()).toBe("booklists.csv");

  await chooseFile(page, rows(2).join("\r\n"));
  await expect(page.getByText("so it was read as Windows text")).toBeVisible();
  await expect(page.getByLabel("Compulsory is")).toHaveValue("required");
  await page.getByRole("button", { name: "Check lists" }).click();
  await expect(
    page.getByText("1 list is new, 0 lists would change, 0 already match, 1 would be left out."),
  ).toBeVisible();
  await expect(planRow(page, "JHS 2")).toContainText(
    "Line 4: The number of copies in line 4 must be between 1 and 99.",
  );
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download 2 rows left out" }).click();
  const repair = await readFile(await (await download).path(), "utf8");
  expect(repair).toContain(`4,The number of copies in line 4 must be between 1 and 99.,${school},JHS 2`);
  expect(repair).toContain(`5,Another line of this list has a problem.,${school},JHS 2`);
  await page.getByRole("button", { name: "New lists 1" }).click();
  await expect(planRow(page, "JHS 1")).toContainText("Not sold here: Règle de 30 cm");
  await page.getByLabel("Publish the new lists immediately.").check();
  await confirmImport(page, "Import 1 list");
  await expect(page.getByText("1 list added, 0 changed, 0 unchanged, 1 left out")).toBeVisible();
  const published = { class_name: "JHS 1", status: "published" };
  expect(await storedLines(admin, school)).toEqual([
    { title: maths.title, copies: 2, ...published },
    { title: "Règle de 30 cm", copies: 1, ...published },
  ]);

  await page.getByRole("button", { name: "Import another file" }).click();
  await chooseFile(page, repair.replace("many", "1"));
  await page.getByRole("button", { name: "Check lists" }).click();
  await confirmImport(page, "Import 1 list");
  await expect(page.getByText("1 list added, 0 changed, 0 unchanged, 0 left out")).toBeVisible();
  await page.getByRole("button", { name: "Import another file" }).click();
  await chooseFile(page, rows(2).slice(0, 3).join("\r\n"));
  await page.getByRole("button", { name: "Check lists" }).click();
  await expect(page.getByText("There is nothing to import.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import 0 lists" })).toBeDisabled();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await chooseFile(page, rows(3).slice(0, 3).join("\r\n"));
  await page.getByRole("button", { name: "Check lists" }).click();
  await expect(planRow(page, "JHS 1")).toContainText(`${maths.title}: copies 2 → 3`);
});

test("an import resumes where a lost connection stopped it, and says what is saved", async ({
  page,
  admin,
  consoleLines,
}) => {
  consoleLines.expect(/Failed to send the lists|Failed to load resource/);
  const school = `School ${randomUUID().slice(0, 8)}`;
  const lists = Array.from({ length: 60 }, (_, n) => `${school},Class ${n},2026/2027,Book ${n}`);
  await openAdmin(page, "/admin/booklists/import", "Import booklists");
  await chooseFile(page, ["School,Class,School year,Title", ...lists].join("\n"));
  await page.getByRole("button", { name: "Check lists" }).click();
  await expect(page.getByText("60 lists are new")).toBeVisible();
  // The first group of fifty is saved, but its answer is lost; then nothing arrives any more.
  let calls = 0;
  await page.route("**/rest/v1/rpc/import_booklists", async (route) => {
    calls += 1;
    if (calls === 1) await route.fetch();
    await route.abort("connectionreset");
  });
  await confirmImport(page, "Import 60 lists");
  await expect(page.getByText("The import was interrupted")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("0 of 60 lists saved")).toBeVisible();
  expect(await storedLines(admin, school)).toHaveLength(50);
  await page.unroute("**/rest/v1/rpc/import_booklists");
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByText("60 lists added, 0 changed, 0 unchanged, 0 left out")).toBeVisible();
  expect(await storedLines(admin, school)).toHaveLength(60);
});
