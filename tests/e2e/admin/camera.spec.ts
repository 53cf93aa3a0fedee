import type { BrowserContext, Page } from "@playwright/test";
import { isbn13CheckDigit } from "#app/features/books/isbn.ts";
import { encodeEan13 } from "#app/office/stock/labels/ean13.ts";
import { chromium } from "#tests/support/chromium.ts";
import { addBook, newTitle, stockOf } from "#tests/support/factories.ts";
import { fakeCamera, withLastDigit } from "#tests/support/fake-camera.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const isbnOf = (number: number) => {
  const digits = `9789988${number}`;
  return digits + isbn13CheckDigit(digits);
};
const [plain, tilted, blurred, misprinted] = [71_101, 71_202, 71_303, 71_404].map(isbnOf) as [
  string,
  string,
  string,
  string,
];

const phone = chromium("chromium-headless-shell");
test.use({
  launchOptions: {
    ...phone,
    args: [
      ...(phone.args ?? []),
      ...fakeCamera([
        { modules: encodeEan13(plain), seconds: 2 },
        { modules: null, seconds: 1 },
        { modules: encodeEan13(tilted), seconds: 2, tilt: 17 },
        { modules: withLastDigit(misprinted, (Number(misprinted[12]) + 3) % 10), seconds: 2 },
        { modules: encodeEan13(blurred), seconds: 2, tilt: -6, blur: 1 },
        { modules: null, seconds: 1 },
      ]),
    ],
  },
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
});

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

/** Notes each camera that a page opens, to see later whether it was stopped. */
const watchCameras = (context: BrowserContext) =>
  context.addInitScript(() => {
    const opened: MediaStream[] = [];
    Object.assign(window, { opened });
    const devices = navigator.mediaDevices;
    const open = devices?.getUserMedia.bind(devices);
    if (devices)
      devices.getUserMedia = async (constraints) => {
        const stream = await open(constraints);
        opened.push(stream);
        return stream;
      };
  });

const trackStates = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { opened: MediaStream[] }).opened.flatMap((stream) =>
      stream.getTracks().map(({ readyState }) => readyState),
    ),
  );

/** Opens the camera's window from a page, as on a phone. */
async function openCamera(page: Page): Promise<Page> {
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Scan with Camera" }).click();
  const camera = await opening;
  await expect(camera.getByRole("heading", { level: 1, name: "Scan with the camera" })).toBeVisible();
  return camera;
}

test("the camera reads plain, tilted and blurred barcodes into a receipt, and no picture leaves the phone", async ({
  page,
  context,
  admin,
}) => {
  test.setTimeout(180_000);
  const books = await Promise.all(
    [plain, tilted, blurred].map((isbn) =>
      addBook(admin.client, { title: newTitle("Seen"), isbn, stock_quantity: 0 }),
    ),
  );
  await watchCameras(context);
  await openAdmin(page, "/admin/receiving/new", "Receive goods");
  const camera = await openCamera(page);
  const sent: string[] = [];
  context.on("request", (request) => {
    const isOwn = new URL(request.url()).origin === new URL(page.url()).origin;
    if (request.method() !== "GET" || request.postDataBuffer() !== null || !isOwn)
      sent.push(`${request.method()} ${request.url()}`);
  });
  context.on("page", (opened) => opened.on("websocket", (socket) => sent.push(socket.url())));
  const wasm = camera.waitForResponse(/zxing_reader-[\w-]+\.wasm$/);
  await camera.getByRole("button", { name: "Start Camera" }).click();
  const { headers, url } = await wasm.then(async (response) => ({
    headers: await response.allHeaders(),
    url: new URL(response.url()),
  }));
  expect(url.origin).toBe(new URL(page.url()).origin);
  expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(headers["content-encoding"]).toBe("br");
  await expect(camera.getByRole("status")).toHaveText(/Hold a book's barcode|Counted/);
  for (const { title } of books)
    await expect(page.getByLabel(`Copies of ${title}`, { exact: true })).toHaveValue(/[1-9]/);
  await expect(camera.getByRole("status")).toContainText("Counted: Seen");
  // In each of the video's two rounds, a code counts as one scan although many frames show it.
  const counted = await page
    .getByLabel(/^Copies of Seen/)
    .evaluateAll((fields) => fields.map((field) => Number((field as HTMLInputElement).value)));
  expect(Math.max(...counted)).toBeLessThanOrEqual(4);
  await expect(page.getByText("No book with the ISBN")).toHaveCount(0);
  expect(await trackStates(camera)).toEqual(["live"]);
  await expectAccessibleAtWidths(camera);
  await camera.getByRole("button", { name: "Stop Camera" }).click();
  await expect.poll(() => trackStates(camera)).toEqual(["ended"]);
  expect(sent, "requests that could carry a picture").toEqual([]);
  const closing = camera.waitForEvent("close");
  await camera.getByRole("button", { name: "Done" }).click();
  await closing;
  expect(await stockOf(admin.client, books[0]?.id ?? "")).toBe(0);
});

test("the camera's window closes with the page that opened it", async ({ page }) => {
  await openAdmin(page, "/admin/books", "Book Management");
  const camera = await openCamera(page);
  const closing = camera.waitForEvent("close");
  await page.goto("/admin/receiving");
  await closing;
});

test("a browser with a barcode reader of its own downloads none, and a phone's lamp can be switched on", async ({
  page,
  context,
}) => {
  await context.addInitScript(() => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ["qr_code", "ean_13"];
      detect = async () => [{ rawValue: "9780140449136" }, { rawValue: "9780140449137" }];
    }
    Object.assign(window, { BarcodeDetector, lamp: [] as unknown[] });
    MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
    MediaStreamTrack.prototype.applyConstraints = async (constraints) => {
      (window as unknown as { lamp: unknown[] }).lamp.push(constraints?.advanced?.[0]);
    };
  });
  const wasm: string[] = [];
  context.on("request", (request) => request.url().includes(".wasm") && wasm.push(request.url()));
  await openAdmin(page, "/admin/books", "Book Management");
  const camera = await openCamera(page);
  await camera.getByRole("button", { name: "Start Camera" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("9780140449136");
  await expect(camera.getByRole("region", { name: "Codes read" }).getByRole("listitem")).toHaveText([
    "9780140449136",
  ]);
  const light = camera.getByRole("button", { name: "Light" });
  await light.click();
  await expect(light).toHaveAttribute("aria-pressed", "true");
  await light.click();
  await expect(light).toHaveAttribute("aria-pressed", "false");
  expect(await camera.evaluate(() => (window as unknown as { lamp: unknown[] }).lamp)).toEqual([
    { torch: true },
    { torch: false },
  ]);
  expect(wasm).toEqual([]);
});

for (const [name, words] of [
  ["NotAllowedError", "The camera is not allowed."],
  ["NotFoundError", "This device has no camera."],
  ["NotReadableError", "Another app is using the camera."],
] as const)
  test(`a camera that fails with ${name} shows a message, and can be started again`, async ({
    page,
    context,
  }) => {
    await context.addInitScript((error) => {
      if (navigator.mediaDevices)
        navigator.mediaDevices.getUserMedia = async () => {
          throw new DOMException("refused", error);
        };
    }, name);
    await page.goto("/admin/scan");
    await expect(page.getByText("No page is waiting for these codes.")).toBeVisible();
    await page.getByRole("button", { name: "Start Camera" }).click();
    await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
    await expect(page.getByRole("button", { name: "Start Camera" })).toBeEnabled();
  });

test("only the page that scans may use the camera and WebAssembly, and what follows it is a new document", async ({
  page,
  request,
  consoleLines,
}) => {
  const paths = [
    "/",
    "/shop",
    "/auth",
    "/admin",
    "/admin/receiving/new",
    "/admin/stock/labels",
    "/admin/scan/1",
  ];
  for (const path of [...paths, "/admin/scan"]) {
    const headers = (await request.get(path)).headers();
    const scans = path === "/admin/scan";
    expect(headers["content-security-policy"]?.includes("'wasm-unsafe-eval'"), path).toBe(scans);
    expect(headers["permissions-policy"]?.includes(`camera=(${scans ? "self" : ""})`), path).toBe(true);
  }
  consoleLines.expect(/Permissions policy violation: camera is not allowed/);
  await openAdmin(page, "/admin/books", "Book Management");
  expect(
    await page.evaluate(() =>
      navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => "open",
        ({ name }) => name,
      ),
    ),
  ).toBe("NotAllowedError");
  await page.goto("/admin/scan");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await page.getByRole("link").count(), "links to pages under this document's policy").toBe(0);
  const signIn = page.waitForRequest(
    (one) => one.isNavigationRequest() && new URL(one.url()).pathname === "/auth",
  );
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.removeItem(key);
  });
  await page.reload({ waitUntil: "commit" });
  await signIn;
});
