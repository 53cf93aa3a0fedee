import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { dataOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { photoCover } from "#tests/support/photo-covers.ts";
import { expect, expectAccessible, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "./back-office.ts";

const inDays = (days: number, time: string) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;

let shown: string[] = [];
test.afterEach(async ({ admin }) => {
  const { data } = await admin.client
    .from("events")
    .select("id, updated_at")
    .in("title", shown)
    .eq("state", "published");
  for (const { id, updated_at } of data ?? [])
    await dataOf(
      admin.client.rpc("set_event_state", { _id: id, _state: "cancelled", _updated_at: updated_at }),
    );
  shown = [];
});

/** Adds up the layout shifts of each page that is opened from now on. */
const countShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      const target = window as unknown as { shift: number };
      for (const entry of list.getEntries()) target.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });

/** The event's picture on the page that is open, once it is loaded: its file's size, and how far the page has shifted. */
async function expectPicture(page: Page, part: Locator, name: RegExp) {
  const picture = part.getByRole("presentation").and(page.locator("img"));
  await expect(picture).toHaveAttribute("src", name);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  const box = await picture.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeGreaterThan(1.2);
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
}

for (const width of [360, 1280])
  test(`at ${width} px an event gets a picture of its own, which visitors see until it is removed`, async ({
    page,
    browser,
    admin,
    signIn,
  }) => {
    test.slow();
    const title = `Pictured ${randomUUID().slice(0, 8)}`;
    shown.push(title);
    const office = await otherBrowser(browser, signIn, admin);
    await office.setViewportSize({ width, height: 800 });
    await openAdmin(office, "/admin/events", "Events");
    await office.getByRole("button", { name: "Add Event" }).click();
    const dialog = office.getByRole("dialog", { name: "Add event" });
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Starts").fill(inDays(6, "09:00"));
    await dialog.getByLabel("Ends").fill(inDays(6, "12:30"));
    await dialog.getByLabel("Place", { exact: true }).fill("Osu, Accra");
    await dialog.getByLabel("Number of places").fill("20");

    const choose = (buffer: Buffer, name: string, mimeType: string) =>
      dialog.getByLabel("Picture (optional)").setInputFiles({ name, mimeType, buffer });
    const crop = office.getByRole("dialog", { name: "Crop Picture" });
    await choose(Buffer.from("no picture"), "notes.jpg", "image/jpeg");
    await expect(crop.getByRole("alert")).toContainText("not a picture");
    await expect(crop.getByRole("button", { name: "Upload Picture" })).toBeDisabled();
    await crop.getByRole("button", { name: "Cancel" }).click();

    const photo = await sharp(await photoCover(3))
      .resize(1600, 1200, { fit: "cover" })
      .jpeg()
      .toBuffer();
    await choose(photo, "hall.jpg", "image/jpeg");
    const frame = await crop.getByRole("group", { name: /crop selection area/ }).boundingBox();
    expect((frame?.width ?? 0) / (frame?.height ?? 1)).toBeCloseTo(3 / 2, 1);
    await expectAccessible(office);
    await crop.getByRole("button", { name: "Upload Picture" }).click();
    await expectMessage(office, "Picture uploaded");
    await expect(dialog.getByRole("img", { name: "The event's own" })).toBeVisible();
    await expectAccessible(office);
    await dialog.getByRole("button", { name: "Add Event" }).click();
    await expectMessage(office, `${title} added`);
    await office.getByRole("link", { name: title }).click();
    await office.getByRole("button", { name: "Publish" }).click();
    await office.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    await expectMessage(office, "Event published");
    const path = (await office.getByRole("link", { name: /^\/events\// }).textContent()) ?? "";

    await page.setViewportSize({ width, height: 800 });
    await countShifts(page);
    const own = /^\/covers\/event-picture-\d{13}\.jpg\/800\.webp$/;
    await page.goto(path);
    await expectPicture(page, page.getByRole("main"), own);
    await expectAccessibleAtWidths(page, [width]);
    const data = JSON.parse(
      (await page.locator('script[type="application/ld+json"]').last().textContent()) ?? "{}",
    );
    expect(data.image).toMatch(/^http.*\/covers\/event-picture-\d{13}\.jpg\/1200\.jpg$/);
    const preview = await page.request.get(data.image);
    expect(await sharp(await preview.body()).metadata()).toMatchObject({ format: "jpeg", width: 1200 });
    await expect
      .poll(async () => {
        await page.goto("/events");
        return page.getByRole("link", { name: title }).count();
      })
      .toBe(1);
    await expectPicture(page, page.getByRole("listitem").filter({ hasText: title }), own);

    await office.getByRole("button", { name: "Edit" }).click();
    const edit = office.getByRole("dialog", { name: "Edit event" });
    await edit.getByRole("button", { name: "Remove picture" }).click();
    await expect(edit.getByRole("img")).toHaveCount(0);
    await edit.getByRole("button", { name: "Save", exact: true }).click();
    await expectMessage(office, `${title} saved`);
    await expect
      .poll(async () => {
        await page.goto(path);
        return page.getByRole("main").getByRole("presentation").and(page.locator("img")).getAttribute("src");
      })
      .toMatch(/^\/pictures\//);
    await office.context().close();
  });
