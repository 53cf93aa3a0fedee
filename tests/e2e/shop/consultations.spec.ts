import { randomUUID } from "node:crypto";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail } from "#tests/support/outbox.ts";
import { expect, expectAccessible, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "../admin/back-office.ts";

const newEmail = (name: string) => `${name}.${randomUUID().slice(0, 8)}@school.example`;

/** '2026-12-05T09:00', this many days from now, as a field for a time takes it. */
const inDays = (days: number, time: string) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`;

for (const width of [360, 1280])
  test(`at ${width} px a visitor asks by keyboard, and staff answer, agree on a day and close`, async ({
    page,
    browser,
    shop,
    admin,
    signIn,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    const email = newEmail("ama");
    const name = `Ama ${randomUUID().slice(0, 8)}`;
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/rpc/request_consultation")) requests += 1;
    });

    await page.goto("/contact?about=consultation");
    await page.getByRole("link", { name: "Ask for a consultation" }).click();
    const form = page.getByRole("form", { name: "Ask for a consultation" });
    await expect(form).toBeInViewport();
    const send = form.getByRole("button", { name: "Send Request" });
    await send.press("Enter");
    await expect(form.getByLabel("Full name")).toBeFocused();
    await expect(form.getByText("Please tell us what it is about")).toBeVisible();
    await expectAccessible(page);
    for (const typed of [name, "Cape School", email, "024 000 0000", "Maths", "P1 to P3", "Mondays"]) {
      await page.keyboard.type(typed);
      await page.keyboard.press("Tab");
    }
    await expect(form.getByLabel("What it is about")).toBeFocused();
    await page.keyboard.type("Which books for three classes?\nAbout 90 pupils.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(send).toBeFocused();
    // Two presses are one request.
    await send.dblclick();
    await expect(page.getByText("We've received your request.")).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: email })).toBeInViewport();
    expect(requests).toBe(1);
    await expectAccessible(page);
    const received = await findMail(shop.dataDir, email);
    expect(received.subject).toContain("we've received your consultation request");
    expect(received.text).not.toContain("Cape School");

    const office = await otherBrowser(browser, signIn, admin);
    await office.setViewportSize({ width, height: 800 });
    await openAdmin(office, "/admin", "Dashboard");
    await office.getByRole("link", { name: "Consultations waiting" }).click();
    await expect(office).toHaveURL("/admin/consultations?status=open");
    await office.goto(`/admin/consultations?status=open&q=${encodeURIComponent(name)}`);
    await expect(office.getByRole("group", { name: "Export consultations" })).toContainText(
      "1 matching consultation",
    );
    await expectAccessible(office);
    await office.getByRole("link", { name }).click();
    await expect(office.getByText("About 90 pupils.")).toBeVisible();
    await expectAccessible(office);
    await office.getByRole("button", { name: "Send Answer" }).click();
    await expect(office.getByText("Write an answer")).toBeVisible();
    await office.getByLabel("Answer", { exact: true }).fill("Gladly.\n\nWhich edition do you use?");
    await office.getByRole("button", { name: "Send Answer" }).click();
    await expectMessage(office, "Answer sent");
    const answered = await findMail(shop.dataDir, email, 1);
    expect(answered.text).toMatch(/Gladly\.\s+Which edition do you use\?/);
    await expect(office.getByRole("list", { name: "Answers" })).toContainText("Which edition do you use?");
    await expect(office.getByLabel("Answer", { exact: true })).toHaveValue("");

    await office.getByLabel("Day and time (Ghana time)").fill(inDays(9, "09:30"));
    await office.getByLabel("How").selectOption("Online");
    await office.getByLabel("Platform or app").fill("Zoom");
    await office.getByRole("button", { name: "Set Date" }).click();
    await expectMessage(office, "Date set and emailed");
    const dated = await findMail(shop.dataDir, email, 2);
    expect(dated.text).toContain("09:30, Ghana time");
    expect(dated.text).toContain("BEGIN:VCALENDAR");
    await expect(office.getByText("Online: Zoom")).toBeVisible();
    await office.getByRole("button", { name: "Cancel Date" }).click();
    await expect(office.getByRole("alertdialog")).toContainText("The customer gets an email.");
    await expectAccessible(office);
    await office.getByRole("alertdialog").getByRole("button", { name: "Cancel date" }).click();
    await expectMessage(office, "Date cancelled and emailed");
    await expect(office.getByText("Online: Zoom")).toHaveCount(0);
    const cancelled = await findMail(shop.dataDir, email, 3);
    expect(cancelled.subject).toContain("your appointment has been cancelled");
    expect(cancelled.text).toContain("METHOD:CANCEL");
    await office.getByLabel("Note (only for staff)").fill("Bring samples");
    await expectAccessible(office);
    await office.getByRole("button", { name: "Close Consultation" }).click();
    await expectMessage(office, "Consultation closed");
    await expect(office.getByText("Bring samples")).toBeVisible();
    await expect(office.getByRole("button", { name: "Send Answer" })).toHaveCount(0);
    // By keyboard: the pointer still rests where 'Close Consultation' was, which may be on the message, over this button.
    await office.getByRole("button", { name: "Reopen" }).press("Enter");
    await expectMessage(office, "Consultation reopened");
    await office.context().close();
  });

test("a customer's details are filled in, and the answer is under My Account; without JavaScript nothing is sent", {
  tag: "@gate",
}, async ({ page, context, browser, baseURL, admin, member, signIn }) => {
  test.slow();
  await signIn(context, member);
  await page.goto("/account");
  const own = page.getByRole("region", { name: "Your consultations" });
  await own.getByRole("link", { name: "Ask for one" }).click();
  const form = page.getByRole("form", { name: "Ask for a consultation" });
  await expect(form.getByLabel("Email")).toHaveValue(member.email);
  if (!(await form.getByLabel("Full name").inputValue())) await form.getByLabel("Full name").fill("Kofi");
  await form.getByLabel("What it is about").fill("Phonics\nfor two classes");
  await form.getByRole("button", { name: "Send Request" }).click();
  await expect(page.getByText("You'll find our answer under My Account, too.")).toBeVisible();
  const { data } = await admin.client.from("consultations").select("id").eq("user_id", member.id).single();
  await admin.client.rpc("answer_consultation", {
    _id: String(data?.id),
    _version: 1,
    _answer_id: randomUUID(),
    _body: "Gladly.\nCome by.",
  });
  await page.goto("/account");
  await expect(own.getByRole("listitem").filter({ hasText: "Answered" }).first()).toBeVisible();
  await expect(own.getByText("Gladly.")).toBeVisible();
  await expectAccessibleAtWidths(page, [360, 1280]);

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const reader = await plain.newPage();
  await reader.goto("/guidance");
  await expect(reader.getByRole("button", { name: "Send Request" })).toBeHidden();
  await expect(reader.getByText("This form needs JavaScript.")).toBeVisible();
  await plain.close();
});
