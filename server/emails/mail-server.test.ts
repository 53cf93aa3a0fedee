import { expect, test } from "vitest";
import { compose, mailFault } from "./mail-server.ts";

/* How emails are encoded, and what a mail server's refusals mean. With a server: server/emails/email-transport.test.ts. */

const sender = { name: "Adwene Books", address: "shop@shop.example" };
const email = { to: "ama@school.example", subject: "Akwaaba", text: "Hello", html: "<p>Hello</p>" };

test("An email names the shop and one recipient, and has the given headers", async () => {
  const raw = await compose(sender, email, {
    messageId: "<1@shop.example>",
    date: new Date("2026-11-20T08:05:00Z"),
    replyTo: "a@b.example, c@d.example",
    headers: { "X-Shop-Order": "7" },
  });
  const [head = "", ...body] = raw.split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual(
    expect.arrayContaining([
      "From: Adwene Books <shop@shop.example>",
      "To: ama@school.example",
      'Reply-To: <"a@b.example, c"@d.example>',
      "Subject: Akwaaba",
      "Message-ID: <1@shop.example>",
      "Date: Fri, 20 Nov 2026 08:05:00 +0000",
      "X-Shop-Order: 7",
    ]),
  );
  expect(body.join()).toContain("<p>Hello</p>");
  expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(await compose(sender, email)).not.toMatch(/^Reply-To/m);
});

test.each([
  [{ code: "EAUTH" }, { code: "EAUTH", responseCode: 0, ofServer: true, forGood: false }],
  [
    { code: "EAUTH", responseCode: 535 },
    { code: "EAUTH", responseCode: 535, ofServer: true, forGood: false },
  ],
  [
    { code: "EENVELOPE", responseCode: 421 },
    { code: "EENVELOPE", responseCode: 421, ofServer: true, forGood: false },
  ],
  [
    { code: "EENVELOPE", responseCode: 499 },
    { code: "EENVELOPE", responseCode: 499, ofServer: false, forGood: false },
  ],
  [
    { code: "EENVELOPE", responseCode: 500 },
    { code: "EENVELOPE", responseCode: 500, ofServer: false, forGood: true },
  ],
  [{ code: "EABORT" }, { code: "EABORT", responseCode: 0, ofServer: true, forGood: false }],
  [{}, { code: "no code", responseCode: 0, ofServer: false, forGood: false }],
])("The failure %j means %j", (error, meaning) => expect(mailFault(error)).toEqual(meaning));
