import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

test.describe("the contact page", () => {
  const message = {
    "Full Name/Institution": "Bright Future School",
    "Phone Number": "+233 24 000 0000",
    "Email Address": "office@bright.example",
    Message: "60 copies of Mental Arithmetic 1 & 2?",
  };

  async function write(page: Page): Promise<void> {
    for (const [label, text] of Object.entries(message))
      await page.getByRole("textbox", { name: label }).fill(text);
    await page.getByRole("button", { name: "Write Message" }).click();
  }

  test("the contact form requires every field, logs the message, clears itself, calls no server, and offers it for chat and email", async ({
    page,
  }) => {
    const logged: unknown[] = [];
    page.on("console", async (line) => {
      if (line.type() !== "log") return;
      logged.push(await Promise.all(line.args().map((argument) => argument.jsonValue())));
    });
    await page.goto("/contact");
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    const requests: string[] = [];
    page.on("request", (request) => {
      if (!/\/(assets|fonts)\//.test(request.url())) requests.push(`${request.method()} ${request.url()}`);
    });
    await page.getByRole("button", { name: "Write Message" }).click();
    await expect(page.getByLabel("Full Name/Institution")).toBeFocused();
    await expect(page.getByText("It hasn't been sent yet.")).toHaveCount(0);
    await write(page);

    for (const label of Object.keys(message))
      await expect(page.getByRole("textbox", { name: label })).toHaveValue("");
    await expect
      .poll(() => logged)
      .toEqual([
        [
          "Contact form:",
          {
            name: "Bright Future School",
            phone: "+233 24 000 0000",
            email: "office@bright.example",
            message: "60 copies of Mental Arithmetic 1 & 2?",
          },
        ],
      ]);
    expect(requests).toEqual([]);

    const after = page.getByRole("region", { name: "Your message is ready. How would you like to send it?" });
    await expect(after).toBeVisible();
    await expect(after.getByRole("heading")).toBeFocused();
    // Nowhere else on the page does it sound as if it had been.
    await expect(page.getByText(/\bsent\b/i)).toHaveText("It hasn't been sent yet.");
    for (const name of ["Send by WhatsApp", "Send by email"]) {
      const href = decodeURIComponent((await after.getByRole("link", { name }).getAttribute("href")) ?? "");
      for (const text of Object.values(message)) expect(href).toContain(text);
    }
    await expectAccessible(page);
  });

  test("has two buttons that send nothing and lead nowhere, but start a message", async ({ page }) => {
    await page.goto("/contact");
    const before = await page.getByRole("main").innerHTML();
    const requests: string[] = [];
    page.on("request", (request) => {
      // Code that the page loads once it has settled says nothing of the visitor.
      if (!request.url().includes("/assets/")) requests.push(request.url());
    });
    const field = page.getByRole("textbox", { name: "Message" });
    for (const [name, words] of [
      ["Schedule a Consultation", "I would like to schedule a consultation. It is about "],
      ["Request Catalog", "Please send me your catalog. My school needs "],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await expect(field).toBeFocused();
      await expect(field).toHaveValue(words);
      await expect(page).toHaveURL("/contact");
      expect(await page.getByRole("main").innerHTML()).toBe(before);
    }
    await field.fill("Do you have atlases?");
    await page.getByRole("button", { name: "Schedule a Consultation" }).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveValue("Do you have atlases?");
    expect(requests).toEqual([]);
  });

  test("opens the form that a link names, and ignores unknown names", async ({ page }) => {
    await page.goto("/events");
    await page.getByRole("link", { name: "Get Notified" }).click();
    await expect(page).toHaveURL("/contact?about=events");
    const notify = page.getByRole("textbox", { name: "Your email" });
    await expect(notify).toBeFocused();
    await expect(notify).toBeInViewport();
    const field = page.getByRole("textbox", { name: "Message" });
    await expect(field).toHaveValue("");
    await page.goto("/contact?about=consultation");
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(/schedule a consultation/);
    await page.getByRole("button", { name: "Request Catalog" }).click();
    await expect(field).toHaveValue(/^Please send me your catalog/);

    await page.goto("/contact?about=constructor");
    await expect(page.locator("html")).toHaveAttribute("data-alive");
    await expect(field).toHaveValue("");
    await expect(page.locator("body")).toBeFocused();
  });

  test("keeps what was typed out of URLs when there is no JavaScript", async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    await page.goto("/contact");
    await expect(page.getByRole("button", { name: "Write Message" })).toBeHidden();
    await expect(page.getByText("This form needs JavaScript.")).toBeVisible();
    for (const [label, text] of Object.entries(message))
      await page.getByRole("textbox", { name: label }).fill(text);
    await page.getByRole("textbox", { name: "Email Address" }).press("Enter");
    await expect(page).toHaveURL("/contact");
    await context.close();
  });
});

test("an unknown URL shows an accessible page with a link home, and its path is logged", {
  tag: "@gate",
}, async ({ page, consoleLines }) => {
  consoleLines.expect(/^404: no page at \/no-such-page$/);
  await page.goto("/no-such-page");
  await expect(page.getByRole("heading", { level: 1, name: "Oops! Page not found" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
});
