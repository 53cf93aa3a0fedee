import { expect, test } from "vitest";
import { firstShop as shop } from "#shared/owner/settings.ts";
import type { ClaimedEmail, EmailConsultation } from "./claimed-email.ts";
import { dateFile } from "./consultation-emails.ts";
import { prepareEmail } from "./deliver.ts";
import { readOutboxEmail } from "./outbox-page.ts";
import { writeEmail } from "./write-email.ts";

const siteUrl = "https://shop.example";
const settings = { siteUrl, mailFrom: "no-reply@shop.example", shopEmail: "orders@shop.example" };

const consultation: EmailConsultation = {
  id: "c1",
  has_account: false,
  name: "Ama <b>\u202eMensah",
  email: "ama@school.example",
  phone: "024 000 0000",
  institution: "Cape School",
  subject: "Phonics",
  classes: null,
  wished_days: "Mondays",
  about: "See http://evil.example/x\nand more",
  answer: "Gladly.\n\nWhich edition\u202e do you use?",
  meets_at: "2026-12-07T09:30:00+00:00",
  meets_how: "place",
  meeting_place: "5 Castle Road, Cape Coast",
  cancelled_meets_at: null,
  has_calendar_file: true,
  revision: 1,
  updated_at: "2026-11-27T16:00:00.123+00:00",
};

const email = (kind: string, changes: Partial<EmailConsultation> = {}): ClaimedEmail => ({
  id: "11111111-1111-4111-8111-111111111111",
  lease: "22222222-2222-4222-8222-222222222222",
  kind,
  status: null,
  created_at: "2026-11-20T08:05:00.000Z",
  audience: kind === "consultation_requested" ? "owner" : "customer",
  order: null,
  role: null,
  shipment: null,
  stock: null,
  payment: null,
  quote: null,
  consultation: { ...consultation, ...changes },
  alert: null,
  registration: null,
  subscription: null,
  purchase: null,
});
const write = (kind: string, changes?: Partial<EmailConsultation>) =>
  writeEmail(email(kind, changes), siteUrl, shop);

test("the owner gets the typed texts without links, and can reply to the customer", async () => {
  const { subject, text, html } = write("consultation_requested");
  expect(subject).toBe(`${shop.name}: new consultation request`);
  for (const words of ["Name: Ama <b>Mensah", "Days that suit them: Mondays", "Phone: 024 000 0000"])
    expect(text).toContain(words);
  expect(text).not.toContain("Classes");
  expect(text).not.toContain("http://evil.example");
  expect(html).toContain("Ama &lt;b&gt;Mensah");
  expect(text).toContain(`${siteUrl}/admin/consultations/c1`);
  const { to, raw } = await prepareEmail(email("consultation_requested"), settings, shop);
  expect(to).toBe("orders@shop.example");
  expect(raw).toMatch(/^Reply-To: ama@school\.example/m);
  // Anonymising finds the email by this id.
  expect(raw).toMatch(/^X-Shop-Order: c1/m);
});

test("the confirmation repeats nothing that was typed: anyone can enter anyone's address", () => {
  const { text, html } = write("consultation_received");
  for (const words of ["Ama", "Cape School", "Phonics", "Mondays", "evil", "024"])
    expect(text + html).not.toContain(words);
});

test("an answer has the paragraphs from staff, and a link for customers with an account", () => {
  const { text } = write("consultation_answered");
  expect(text).toContain("Gladly.\n\nWhich edition do you use?\n\n");
  expect(text).not.toContain(`${siteUrl}/account`);
  expect(write("consultation_answered", { has_account: true }).text).toContain(`${siteUrl}/account`);
});

test.each<[how: Partial<EmailConsultation>, words: string]>([
  [{}, "Place: 5 Castle Road, Cape Coast"],
  [{ meets_how: "online", meeting_place: "Zoom" }, "Online: Zoom"],
  [{ meets_how: "phone", meeting_place: null }, "We'll call you on: 024 000 0000"],
  [{ meets_how: "phone", meeting_place: "030 000 0000" }, "We'll call you on: 030 000 0000"],
])("the email about a date says when, in Ghana's time, and where: %j", (how, words) => {
  const { text } = write("consultation_dated", how);
  expect(text).toContain("When: 7 Dec 2026, 09:30, Ghana time");
  expect(text).toContain(words);
});

test("the email about a date has a calendar file, which a changed date replaces; the outbox still shows the text", async () => {
  const file = dateFile(consultation, siteUrl, shop);
  for (const line of [
    "UID:c1@shop.example",
    "DTSTART:20261207T093000Z",
    "DTEND:20261207T103000Z",
    "SEQUENCE:1",
    "LOCATION:Place: 5 Castle Road\\, Cape Coast",
  ])
    expect(file.content.toString()).toContain(`${line}\r\n`);
  const changed = { ...consultation, revision: 2 };
  expect(write("consultation_dated", changed).subject).toBe(`${shop.name}: a new date for your consultation`);
  expect(dateFile(changed, siteUrl, shop).content.toString()).toContain("SEQUENCE:2\r\n");
  const answered = await prepareEmail(email("consultation_answered"), settings, shop);
  expect(answered.raw).not.toContain("text/calendar");
  const { to, raw } = await prepareEmail(email("consultation_dated"), settings, shop);
  expect(to).toBe("ama@school.example");
  expect(raw).toMatch(/content-type: text\/calendar;[\s\S]*filename=date\.ics/i);
  expect(readOutboxEmail(raw).text).toContain("7 Dec 2026, 09:30");
});

const cancelled: Partial<EmailConsultation> = {
  meets_at: null,
  meets_how: null,
  meeting_place: null,
  cancelled_meets_at: "2026-12-07T09:30:00+00:00",
  revision: 2,
};

test("a cancelled date says which one, and its calendar file removes the entry with the same UID", async () => {
  const { subject, text } = write("consultation_cancelled", cancelled);
  expect(subject).toBe(`${shop.name}: your appointment has been cancelled`);
  expect(text).toContain("7 Dec 2026, 09:30, Ghana time");
  const { raw } = await prepareEmail(email("consultation_cancelled", cancelled), settings, shop);
  expect(raw).toMatch(/content-type: text\/calendar;[\s\S]*method=CANCEL/i);
  const file = dateFile({ ...consultation, ...cancelled }, siteUrl, shop).content.toString();
  for (const line of [
    "METHOD:CANCEL",
    "UID:c1@shop.example",
    "DTSTART:20261207T093000Z",
    "SEQUENCE:2",
    "STATUS:CANCELLED",
    `ORGANIZER:mailto:${shop.email}`,
  ])
    expect(file).toContain(`${line}\r\n`);
  expect(dateFile(consultation, siteUrl, shop).content.toString()).toContain("METHOD:PUBLISH\r\n");
});

test("without an earlier email with the date, its cancellation comes without a calendar file", async () => {
  const unknown = { ...cancelled, has_calendar_file: false };
  const { raw } = await prepareEmail(email("consultation_cancelled", unknown), settings, shop);
  expect(raw).not.toContain("text/calendar");
});
