import { writeFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { addBook } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, type Member, test } from "#tests/support/test.ts";
import { editBook } from "./back-office.ts";

const RED = { r: 200, g: 30, b: 30 };
const BLUE = { r: 30, g: 30, b: 200 };

/**
 * A photo as a phone writes it: the pixels lie on their side, and EXIF says how to turn them. Seen upright it is 1500
 * wide and 2000 high, red in its upper half and blue in its lower.
 */
async function phonePhoto(): Promise<Buffer> {
  const upright = await sharp({ create: { width: 1500, height: 2000, channels: 3, background: BLUE } })
    .composite([
      { input: { create: { width: 1500, height: 1000, channels: 3, background: RED } }, top: 0, left: 0 },
    ])
    .png()
    .toBuffer();
  // Orientation 6 means: turn a quarter clockwise to see it. So it is stored turned a quarter the other way.
  return sharp(upright).rotate(-90).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

async function colourAt(picture: Buffer, left: number, top: number) {
  const { data } = await sharp(picture)
    .extract({ left: Math.round(left), top: Math.round(top), width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [r = 0, g = 0, b = 0] = data;
  return { r, g, b };
}

async function chooseCover(dialog: Locator, file: { name: string; mimeType: string; buffer: Buffer }) {
  await dialog.getByLabel("Cover image").setInputFiles(file);
  const cropDialog = dialog.page().getByRole("dialog", { name: "Crop Book Cover" });
  await expect(cropDialog).toBeVisible();
  return cropDialog;
}

/** Uploads, saves the book, and returns the cover as served at its public URL. */
async function uploadAndSave(page: Page, dialog: Locator, cropDialog: Locator, admin: Member, id: string) {
  await cropDialog.getByRole("button", { name: "Upload Cover" }).click();
  await expectMessage(page, "Cover image uploaded successfully!");
  await expect(cropDialog).toBeHidden();
  await dialog.getByRole("button", { name: "Update Book" }).click();
  await expectMessage(page, "Book updated successfully");
  const { data } = await admin.client.from("books").select("image_url").eq("id", id).single();
  const address = data?.image_url ?? "";
  const answer = await page.request.get(address);
  return { address, headers: answer.headers(), picture: Buffer.from(await answer.body()) };
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("a phone's photo is turned upright, cropped to 3:4, uploaded as a JPEG and shown in the shop", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const book = await addBook(admin.client, { isbn: "AB-COVER" });
  const dialog = await editBook(page, book.title);
  const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: await phonePhoto() };
  const cropDialog = await chooseCover(dialog, photo);
  await expect(cropDialog.getByRole("button", { name: "Upload Cover" })).toBeEnabled();
  const frame = await cropDialog.getByRole("group", { name: /crop selection area/ }).boundingBox();
  const shown = await cropDialog.getByRole("img", { name: "The chosen file" }).boundingBox();
  if (!frame || !shown) throw new Error("The picture is not shown");
  expect(frame.width / frame.height).toBeCloseTo(3 / 4, 1);
  expect(frame.width / shown.width).toBeCloseTo(0.9, 1);

  let uploads = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && /storage\/v1\/object\/book-covers/.test(request.url())) uploads += 1;
  });
  const { address, headers, picture } = await uploadAndSave(page, dialog, cropDialog, admin, book.id);
  expect(uploads).toBe(1);
  expect(address).toMatch(/\/book-covers\/book-cover-\d{13}\.jpg$/);
  expect(headers["content-type"]).toBe("image/jpeg");
  expect(headers["cache-control"]).toContain("max-age=3600");
  const { format, width = 0, height = 1, orientation } = await sharp(picture).metadata();
  expect({ format, orientation }).toEqual({ format: "jpeg", orientation: undefined });
  expect(height).toBeLessThanOrEqual(1600);
  expect(width / height).toBe(3 / 4);
  const [above, below] = [
    await colourAt(picture, width / 2, height * 0.1),
    await colourAt(picture, width / 2, height * 0.9),
  ];
  expect(above.r).toBeGreaterThan(150);
  expect(below.b).toBeGreaterThan(150);

  await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
  const card = page.getByRole("article").filter({ hasText: book.title });
  await expect(card).toBeVisible();
  const image = card.getByRole("presentation");
  const folder = `/covers/${address.split("/").pop()}`;
  await expect(image).toHaveAttribute("srcset", new RegExp(`^${folder}/160.webp 160w,`));
  await expect
    .poll(() =>
      image.evaluate((shown: HTMLImageElement) => [
        shown.complete && shown.naturalWidth > 0,
        shown.currentSrc,
      ]),
    )
    .toEqual([true, expect.stringMatching(new RegExp(`${folder}/\\d+\\.webp$`))]);
});

test("scale and rotation stay within their limits, change the cover, and bare corners are white", async ({
  page,
  admin,
}) => {
  const book = await addBook(admin.client, { isbn: "AB-TURN" });
  const dialog = await editBook(page, book.title);
  const clear = await sharp({
    create: { width: 900, height: 1200, channels: 4, background: { ...RED, alpha: 0 } },
  })
    .composite([
      { input: { create: { width: 300, height: 300, channels: 4, background: { ...BLUE, alpha: 1 } } } },
    ])
    .png()
    .toBuffer();
  const cropDialog = await chooseCover(dialog, { name: "clear.png", mimeType: "image/png", buffer: clear });
  const [scale, rotate] = [cropDialog.getByLabel("Scale"), cropDialog.getByLabel("Rotate")];
  await expect(scale).toHaveAttribute("step", "0.1");
  await scale.fill("9");
  await scale.blur();
  await expect(scale).toHaveValue("3");
  await rotate.fill("-400");
  await rotate.blur();
  await expect(rotate).toHaveValue("-180");
  await rotate.fill("45");
  await scale.fill("0.5");

  const { picture } = await uploadAndSave(page, dialog, cropDialog, admin, book.id);
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const middle = await colourAt(picture, width / 2, height / 2);
  expect(middle.b).toBeGreaterThan(150);
  expect(middle.r).toBeLessThan(100);
  for (const [x, y] of [
    [5, 5],
    [width - 5, height - 5],
    [width / 2, height * 0.2],
  ] as const) {
    const { r, g, b } = await colourAt(picture, x, y);
    expect(Math.min(r, g, b)).toBeGreaterThan(245);
  }
});

test("a file that is not a picture, too small or too large is refused with a message, and another can be chosen", async ({
  page,
  admin,
}, info) => {
  const book = await addBook(admin.client, { isbn: "AB-NOPIC" });
  const dialog = await editBook(page, book.title);
  const cropDialog = await chooseCover(dialog, {
    name: "list.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("no picture"),
  });
  const refusal = cropDialog.getByRole("alert");
  await expect(refusal).toHaveText(/^This file is not a picture that can be read/);
  await expect(cropDialog.getByRole("button", { name: "Upload Cover" })).toBeDisabled();

  const picker = cropDialog.getByLabel("Image file");
  await picker.setInputFiles({
    name: "lie.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("no picture either"),
  });
  await expect(refusal).toHaveText(/^This file is not a picture that can be read/);
  const stamp = await sharp({ create: { width: 90, height: 120, channels: 3, background: RED } })
    .png()
    .toBuffer();
  await picker.setInputFiles({ name: "stamp.png", mimeType: "image/png", buffer: stamp });
  await expect(refusal).toHaveText(/^This picture is too small \(90 × 120\)/);
  // From the disk: as a buffer it would go through the test's connection to the browser.
  const huge = info.outputPath("huge.jpg");
  await writeFile(huge, Buffer.alloc(26_000_000));
  await picker.setInputFiles(huge);
  await expect(refusal).toHaveText("This file is too large (26 MB). Choose a picture of at most 25 MB.");

  await picker.setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: await phonePhoto() });
  await expect(cropDialog.getByRole("button", { name: "Upload Cover" })).toBeEnabled();
  await expect(refusal).toBeHidden();
  await cropDialog.getByRole("button", { name: "Cancel" }).click();
  await expect(cropDialog).toBeHidden();
  await expect(dialog).toBeVisible();
});

test("shows the upload in progress, and says when it fails", async ({ page, admin, consoleLines }) => {
  consoleLines.expect(/^Uploading a cover failed/);
  const book = await addBook(admin.client, { isbn: "AB-FAIL" });
  const dialog = await editBook(page, book.title);
  const cropDialog = await chooseCover(dialog, {
    name: "photo.jpg",
    mimeType: "image/jpeg",
    buffer: await phonePhoto(),
  });
  let refuse = () => {};
  const asked = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  await page.route(/storage\/v1\/object/, async (route) => {
    await asked;
    await route.fulfill({ status: 500, json: { message: "disk full" } });
  });
  await cropDialog.getByRole("button", { name: "Upload Cover" }).click();
  await expect(cropDialog.getByRole("button", { name: "Uploading..." })).toBeVisible();
  refuse();
  await expectMessage(page, "Failed to upload image. Please try again.");
  await expect(cropDialog.getByRole("button", { name: "Upload Cover" })).toBeEnabled();
});

test("says when the upload limit is reached and the next cover has to wait", async ({
  page,
  admin,
  consoleLines,
}) => {
  consoleLines.expect(/^Uploading a cover failed/);
  const book = await addBook(admin.client, { isbn: "AB-LIMIT" });
  const dialog = await editBook(page, book.title);
  const photo = { name: "photo.jpg", mimeType: "image/jpeg", buffer: await phonePhoto() };
  const cropDialog = await chooseCover(dialog, photo);
  const sentence = (wait: string) =>
    `You have uploaded 120 covers within 10 minutes. Please try again in ${wait}.`;
  // The embedded backend's answer, then that of a hosted project.
  const answers = [
    { wait: "3 minutes", status: 429, message: sentence("3 minutes") },
    { wait: "1 minute", status: 500, message: `insert into "objects" … - ${sentence("1 minute")}` },
  ];
  for (const { wait, status, message } of answers) {
    await page.unroute(/storage\/v1\/object/);
    await page.route(/storage\/v1\/object/, (route) => route.fulfill({ status, json: { message } }));
    await cropDialog.getByRole("button", { name: "Upload Cover" }).click();
    await expectMessage(page, "Failed to upload image. Please try again.");
    await expectMessage(page, sentence(wait));
  }
});
