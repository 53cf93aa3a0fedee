import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

/** Each link in the page's own content leads where the specification says. */
async function expectLinks(page: Page, links: Record<string, string>): Promise<void> {
  for (const [name, path] of Object.entries(links)) {
    await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toHaveAttribute(
      "href",
      path,
    );
  }
}

test.describe("the about page", () => {
  test("tells the story, the figures, the mission and the vision", async ({ page }) => {
    await page.goto("/about");
    for (const name of ["Our story", "Our mission", "Our vision"]) {
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    }
    const figures = page.getByRole("region", { name: "The shop in figures" });
    await expect(figures.getByRole("definition")).toHaveText(["10+", "6", "16"]);
    await expect(figures.getByRole("term")).toHaveText(["years", "publishers", "regions"]);
    await expect(page.getByText(/over 10 years/)).toBeVisible();
    await expect(page.getByText(/500\+ institutions/)).toBeVisible();
  });
});

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

  test("has address, phones, chat, email, hours and the 24-hour promise", async ({ page }) => {
    await page.goto("/contact");
    const main = page.getByRole("main");
    await expect(main.getByText("14 Ring Road Central")).toBeVisible();
    await expect(main.getByRole("link", { name: /^\+233/ })).toHaveCount(2);
    await expect(main.getByRole("link", { name: "Chat on WhatsApp" })).toHaveAttribute(
      "href",
      /^https:\/\/wa\.me\/\d+$/,
    );
    await expect(main.getByRole("link", { name: /@/ })).toHaveAttribute("href", /^mailto:/);
    await expect(main.getByText("Mon-Fri 8:30 AM-5:00 PM")).toBeVisible();
    await expect(main.getByText("We'll get back to you within 24 hours")).toBeVisible();
  });

  test("logs what was typed, clears the form, calls no server, and offers chat and email with it filled in", async ({
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

  test("asks for every field, with the right kind of keyboard", async ({ page }) => {
    await page.goto("/contact");
    for (const label of Object.keys(message))
      await expect(page.getByRole("textbox", { name: label })).toHaveAttribute("required", "");
    await expect(page.getByRole("textbox", { name: "Phone Number" })).toHaveAttribute("type", "tel");
    await expect(page.getByRole("textbox", { name: "Email Address" })).toHaveAttribute("type", "email");
    await page.getByRole("button", { name: "Write Message" }).click();
    await expect(page.getByText("It hasn't been sent yet.")).toHaveCount(0);
    await expect(page.getByLabel("Full Name/Institution")).toBeFocused();
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

test("the guidance page has its hero, figures, reasons, three steps and ways to contact", async ({
  page,
}) => {
  await page.goto("/guidance");
  await expect(
    page.getByRole("heading", { level: 1, name: "Expert Resource Selection Guidance" }),
  ).toBeVisible();
  const figures = page.getByRole("region", { name: "Our guidance in figures" });
  await expect(figures.getByRole("definition")).toHaveText(["100+", "10K+", "98%"]);
  await expect(figures.getByRole("term")).toHaveText(["institutions", "resources", "satisfaction"]);
  await expect(page.getByRole("heading", { level: 2, name: /^Why Choose/ })).toBeVisible();
  const steps = page.getByRole("region", { name: "How it works" });
  await expect(steps.getByRole("heading", { level: 3 })).toHaveText([
    "Needs Assessment",
    "Resource Matching",
    "Ongoing Support",
  ]);
  await expectLinks(page, {
    "Schedule Consultation": "/contact",
    "Request Catalogue": "/contact",
    "Get Expert Guidance Now": "/contact",
  });
});

test("the events page says that there are none, and offers news and books", async ({ page }) => {
  await page.goto("/events");
  await expect(page.getByText("Sorry, there are no events yet!")).toBeVisible();
  await expectLinks(page, { "Get Notified": "/contact", "Browse Books Instead": "/shop" });
});

test.describe("an unknown URL", () => {
  for (const path of ["/no-such-page", "/products/penguin", "/shop/deeper"]) {
    test(`${path} shows the not-found page with status 404 and logs the path`, async ({
      page,
      consoleLines,
    }) => {
      consoleLines.expect(new RegExp(`^404: no page at ${path}$`));
      const logged = page.waitForEvent("console", (line) => line.text() === `404: no page at ${path}`);
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await logged;
      await expect(page.getByRole("heading", { level: 1, name: "Oops! Page not found" })).toBeVisible();
      await expect(page).toHaveTitle("Page not found | Adwene Books");
      expect(await page.content()).toContain('<meta name="robots" content="noindex"/>'.replace("/>", ""));
      // It is the same page for every path.
      if (path === "/no-such-page") await expectAccessible(page);
      await page.getByRole("link", { name: "Return to Home" }).click();
      await expect(page).toHaveURL("/");
    });
  }
});
