import { expect, test } from "vitest";
import { firstShop as shop } from "#shared/owner/settings.ts";
import type { ClaimedEmail, EmailRegistration, EmailSubscription } from "./claimed-email.ts";
import { prepareEmail } from "./deliver.ts";
import { writeEmail } from "./write-email.ts";

const siteUrl = "https://shop.example";
const settings = { siteUrl, mailFrom: "no-reply@shop.example", shopEmail: "orders@shop.example" };
const token = "0123456789abcdef0123456789abcdef";

const event = {
  id: "e1",
  slug: "phonics",
  title: "Phonics <1>\u202e\nfor teachers",
  is_online: true,
  place: "Zoom",
  starts_at: "2026-12-05T09:00:00+00:00",
  ends_at: "2026-12-05T12:30:00+00:00",
  price: 12.5,
};
const registration: EmailRegistration = {
  email: "ama@school.example",
  state: "registered",
  token,
  event: { ...event, join_link: "https://meet.example/1" },
};
const subscription: EmailSubscription = { email: "ama@school.example", token, event };

const email = (kind: string, others: Partial<ClaimedEmail>): ClaimedEmail => ({
  id: "11111111-1111-4111-8111-111111111111",
  lease: "22222222-2222-4222-8222-222222222222",
  kind,
  status: null,
  created_at: "2026-11-20T08:05:00.000Z",
  audience: "customer",
  order: null,
  role: null,
  shipment: null,
  stock: null,
  payment: null,
  quote: null,
  consultation: null,
  alert: null,
  registration: null,
  subscription: null,
  purchase: null,
  ...others,
});
const write = (kind: string, others: Partial<ClaimedEmail>) => writeEmail(email(kind, others), siteUrl, shop);

test("a registration is confirmed with the event, the link to join and a link to cancel", () => {
  const { subject, text, html } = write("event_registered", { registration });
  expect(subject).toBe(`${shop.name}: your place at Phonics <1> for teachers`);
  expect(text).toContain("You have a place");
  expect(text).toContain("When: Saturday 5 Dec 2026, 09:00 to 12:30 (Ghana time)");
  expect(text).toContain("Online: Zoom");
  expect(text).toContain("Price: GH₵12.50 a person");
  expect(text).toContain("Link to join: https://meet.example/1");
  expect(text).toContain(`${siteUrl}/events/links/cancel?token=${token}`);
  expect(html).toContain("Phonics &lt;1&gt;");
});

test("the email to the waiting list promises no place and has no link to join", () => {
  const waiting = { ...registration, state: "waiting", event: { ...registration.event, join_link: null } };
  const { subject, text } = write("event_registered", { registration: waiting });
  expect(subject).toBe(`${shop.name}: on the waiting list for Phonics <1> for teachers`);
  expect(text).toContain("All places are taken at the moment.");
  expect(text).not.toContain("Link to join");
  expect(text).toContain("/events/links/cancel");
});

test("a free place, a change and a cancelled event each have their own text", () => {
  expect(write("event_place", { registration }).text).toContain("A place has become free, and it's yours.");
  expect(write("event_changed", { registration }).text).toContain("You keep your place.");
  expect(write("event_changed", { registration: { ...registration, state: "waiting" } }).text).toContain(
    "You are still on the waiting list.",
  );
  const { text } = write("event_cancelled", { registration });
  expect(text).toContain("this event will not take place");
  expect(text).not.toContain("Link to join");
  expect(text).not.toContain("/events/links/");
});

test("emails to the list can be stopped with one click, in the email program too", async () => {
  const link = `${siteUrl}/events/links/unsubscribe?token=${token}`;
  const news = email("event_published", { subscription });
  expect(write("event_published", { subscription }).text).toContain(link);
  const { to, raw } = await prepareEmail(news, settings, shop);
  expect(to).toBe("ama@school.example");
  const headers = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n\s+/g, " ");
  expect(headers).toContain(`List-Unsubscribe: <${link}>`);
  expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
});

test("the first email only asks for confirmation, and repeats nothing that was typed", () => {
  const { subject, text } = write("event_subscription", { subscription: { ...subscription, event: null } });
  expect(subject).toBe(`${shop.name}: please confirm your email address`);
  expect(text).toContain(`${siteUrl}/events/links/confirm?token=${token}`);
  expect(text).not.toContain("Phonics");
  expect(() => write("event_published", { subscription: { ...subscription, event: null } })).toThrow(
    /no event/,
  );
});

test("emails about a registration have no unsubscribe header", async () => {
  const { raw } = await prepareEmail(email("event_registered", { registration }), settings, shop);
  expect(raw).not.toContain("List-Unsubscribe");
});
