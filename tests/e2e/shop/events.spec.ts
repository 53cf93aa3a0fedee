import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { dataOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleAtWidths,
  type Member,
  test,
} from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "../admin/back-office.ts";

const newEmail = (name: string) => `${name}.${randomUUID().slice(0, 8)}@school.example`;

/** '2026-12-05T09:00', this many days from now, as a field for a time takes it. */
const inDays = (days: number, time: string) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;

/** Published events that other tests would see. */
let published: string[] = [];
test.afterEach(async ({ admin }) => {
  const { data } = await admin.client
    .from("events")
    .select("id, updated_at")
    .in("title", published)
    .eq("state", "published");
  for (const { id, updated_at } of data ?? [])
    await dataOf(
      admin.client.rpc("set_event_state", { _id: id, _state: "cancelled", _updated_at: updated_at }),
    );
  published = [];
});

async function addEvent({ client }: Member, values: { title: string; places?: number }): Promise<string> {
  const id = randomUUID();
  const updated_at = await dataOf(
    client.rpc("save_event", {
      _id: id,
      _title: values.title,
      _kind: "reading",
      _place: "Children's Library, Accra",
      _starts_at: `${inDays(9, "09:00")}Z`,
      _ends_at: `${inDays(9, "11:30")}Z`,
      _places: values.places ?? 20,
      _description: "A first paragraph.\n\nA second one.",
    }),
  );
  await dataOf(
    client.rpc("set_event_state", { _id: id, _state: "published", _updated_at: String(updated_at) }),
  );
  published.push(values.title);
  const { slug } = await dataOf(client.from("events").select("slug").eq("id", id).single());
  return `/events/${slug}`;
}

/** Opens an email's link, which asks, without scripts, and presses its button. Answers the heading of what follows. */
async function followLink(
  browser: Browser,
  link: string | undefined,
  button: string,
): Promise<string | null> {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } });
  const page = await context.newPage();
  await page.goto(link ?? "about:blank");
  await expectAccessible(page);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("button")).toHaveCount(0);
  const heading = await page.getByRole("heading").textContent();
  await context.close();
  return heading;
}

async function register(
  page: Page,
  path: string,
  person: { name: string; email?: string; phone?: string },
  button = "Register",
) {
  await page.goto(path);
  await page.getByLabel("Full name").fill(person.name);
  if (person.email) await page.getByLabel("Email").fill(person.email);
  if (person.phone) await page.getByLabel("Phone").fill(person.phone);
  await page.getByRole("button", { name: button, exact: true }).click();
}

for (const width of [360, 1280])
  test(`at ${width} px an event is announced, fills up, and a cancelled place goes to the waiting list`, async ({
    page,
    browser,
    shop,
    admin,
    signIn,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    const [title, fan, first, second] = [
      `Phonics ${randomUUID().slice(0, 8)}`,
      newEmail("fan"),
      newEmail("one"),
      newEmail("two"),
    ];
    published.push(title);
    const linkTo = async (email: string, after: number, action: string) =>
      (await findMail(shop.dataDir, email, after)).links.find((url) =>
        url.includes(`/events/links/${action}?token=`),
      );

    await page.goto("/events");
    await page.getByRole("link", { name: "Get Notified" }).click();
    const address = page.getByRole("textbox", { name: "Your email" });
    await expect(address).toBeFocused();
    await address.fill("nobody");
    await page.getByRole("button", { name: "Notify Me" }).click();
    await expect(page.getByText("Please enter a valid email address")).toBeVisible();
    await address.fill(fan);
    await page.getByRole("button", { name: "Notify Me" }).click();
    await expect(page.getByText(`Please check your inbox at ${fan}`)).toBeVisible();
    expect(await followLink(browser, await linkTo(fan, 0, "confirm"), "Yes, email me")).toBe(
      "You're on our list",
    );

    const office = await otherBrowser(browser, signIn, admin);
    await office.setViewportSize({ width, height: 800 });
    await openAdmin(office, "/admin/events", "Events");
    await office.getByRole("button", { name: "Add Event" }).click();
    const dialog = office.getByRole("dialog", { name: "Add event" });
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Starts").fill(inDays(8, "09:00"));
    await dialog.getByLabel("Ends").fill(inDays(8, "08:00"));
    await dialog.getByLabel("Place", { exact: true }).fill("Osu, Accra");
    await dialog.getByLabel("Number of places").fill("1");
    await dialog.getByRole("button", { name: "Add Event" }).click();
    await expect(dialog.getByText("The end must be after the start")).toBeVisible();
    await expectAccessible(office);
    await dialog.getByLabel("Ends").fill(inDays(8, "12:30"));
    await dialog.getByRole("button", { name: "Add Event" }).click();
    await expectMessage(office, `${title} added`);
    await office.getByRole("link", { name: title }).click();
    await office.getByRole("button", { name: "Publish" }).click();
    await office.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    await expectMessage(office, "Event published");
    const path = (await office.getByRole("link", { name: /^\/events\// }).textContent()) ?? "";

    const news = await findMail(shop.dataDir, fan, 1);
    expect(news.subject).toContain(`new event: ${title}`);
    expect(news.links).toContain(`${shop.url}${path}`);

    await register(page, path, { name: "Ama Mensah", email: first });
    await expect(page.getByText("You have a place.")).toBeVisible();
    await expectAccessible(page);
    await expect
      .poll(
        async () => {
          await page.goto(path);
          return page.getByRole("main").textContent();
        },
        { timeout: 45_000 },
      )
      .toContain("All places are taken.");
    await register(page, path, { name: "Kofi Boateng", email: second }, "Join Waiting List");
    await expect(page.getByText("You're number 1 on the waiting list.")).toBeVisible();
    expect((await findMail(shop.dataDir, second)).subject).toContain("on the waiting list");

    const cancelLink = await linkTo(first, 0, "cancel");
    // As a mail scanner does.
    await page.request.get(cancelLink ?? "");
    expect(await followLink(browser, cancelLink, "Cancel registration")).toBe(
      "Your registration is cancelled",
    );
    expect((await findMail(shop.dataDir, second, 1)).subject).toContain(`you now have a place at ${title}`);

    await office.reload();
    const table = office.getByRole("table", { name: "Registrations" });
    await expect(table.getByRole("row").filter({ hasText: "Kofi Boateng" })).toContainText("Has a place");
    await expect(table.getByRole("row").filter({ hasText: "Ama Mensah" })).toContainText("Cancelled");
    await expectAccessibleAtWidths(office);

    await office.getByRole("button", { name: "Cancel Event" }).click();
    await office.getByRole("alertdialog").getByRole("button", { name: "Cancel Event" }).click();
    await expectMessage(office, "Event cancelled");
    expect((await findMail(shop.dataDir, second, 2)).subject).toContain(`${title} is cancelled`);
    expect(await followLink(browser, await linkTo(fan, 1, "unsubscribe"), "Unsubscribe")).toBe(
      "You have unsubscribed",
    );
    expect((await listMails(shop.dataDir)).filter(({ to }) => to.includes(first))).toHaveLength(1);
    await office.context().close();
  });

test("staff register a caller who has only a phone number, and export the registrations", {
  tag: "@gate",
}, async ({ page, context, admin, signIn }) => {
  const title = `Exhibition ${randomUUID().slice(0, 8)}`;
  await addEvent(admin, { title });
  await signIn(context, admin);
  await openAdmin(page, "/admin/events", "Events");
  await page.getByRole("link", { name: title }).click();
  await page.getByRole("button", { name: "Register Someone" }).click();
  const dialog = page.getByRole("dialog", { name: "Add registration" });
  await dialog.getByLabel("Full name").fill("=Kofi");
  await dialog.getByRole("button", { name: "Add registration" }).click();
  await expect(dialog.getByText("Please fill in an email address or a phone number")).toBeVisible();
  await dialog.getByLabel("Phone").fill("024 412 3456");
  await dialog.getByRole("button", { name: "Add registration" }).click();
  await expectMessage(page, "=Kofi has a place");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const csv = await readFile(await (await downloading).path(), "utf8");
  expect(csv).toContain("Name,Institution,Email,Phone,Status");
  // Not as a formula.
  expect(csv).toMatch(/^"?'=Kofi/m);
  await page.getByRole("button", { name: "Cancel the registration of =Kofi" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Registration" }).click();
  await expectMessage(page, "=Kofi's registration cancelled");
});

test("the list and an event's page fit the screen, and work without JavaScript", async ({
  page,
  browser,
  baseURL,
  admin,
}) => {
  const title = `Story morning ${randomUUID().slice(0, 8)} ${"Long".repeat(20)}`;
  const path = await addEvent(admin, { title });
  await expect
    .poll(async () => {
      await page.goto("/events");
      return page.getByRole("link", { name: title }).count();
    })
    .toBe(1);
  await expectAccessibleAtWidths(page, [320, 360, 1280]);
  await page.getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expectAccessibleAtWidths(page, [320, 360, 1280]);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Add to Calendar" }).click();
  expect(await readFile(await (await downloading).path(), "utf8")).toContain("BEGIN:VEVENT");

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const plain = await context.newPage();
  await plain.goto(path);
  await expect(plain.getByText("A second one.")).toBeVisible();
  await expect(plain.getByText("This form needs JavaScript.")).toBeVisible();
  await expect(plain.getByRole("button", { name: "Register" })).toBeHidden();
  await plain.goto("/events");
  await expect(plain.getByRole("link", { name: title })).toBeVisible();
  await context.close();
});
