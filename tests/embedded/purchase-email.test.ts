import { readFile } from "node:fs/promises";
import { create } from "fontkit";
import { describe, expect, it, test } from "vitest";
import type { ClaimedEmail, EmailPurchase } from "#server/emails/claimed-email.ts";
import { prepareEmail } from "#server/emails/deliver.ts";
import { printable } from "#server/emails/printable.ts";
import { purchasePdf } from "#server/emails/purchase-pdf.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";

const titles = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    isbn: "9780198366744",
    title: `Title ${at + 1}`,
    publisher: "Adom",
    copies: 1_200,
    list_price: 9.99,
    discount: 33.33,
    amount: 7_992.4,
  }));

const purchase = (changes: Partial<EmailPurchase> = {}): EmailPurchase => ({
  id: "0b5c1f1e-0000-4000-8000-0000000000b0",
  reference: "PO2026-0007",
  currency: "GBP",
  sent_at: "2026-11-27T10:05:00+00:00",
  note: "Please deliver to the back door.",
  supplier_name: "Sedco Publishing",
  contact_name: "The sales desk",
  email: "orders@sedco.example",
  phone: "+233302000000",
  terms: "30 days",
  total: 1_234_567.8,
  lines: titles(2),
  ...changes,
});

const email = (about: EmailPurchase): ClaimedEmail => ({
  id: "1b5c1f1e-0000-4000-8000-0000000000b1",
  lease: "",
  kind: "purchase_order_sent",
  status: null,
  created_at: "2026-11-27T10:06:00Z",
  audience: "supplier",
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
  purchase: about,
});

const settings = {
  siteUrl: "https://shop.example",
  mailFrom: "shop@shop.example",
  shopEmail: "owner@shop.example",
};
const shop = { ...firstShop, name: "Adwene Books", address: ["Ring Road", "Accra"], phones: [], email: "" };

describe("the PDF of a purchase order", () => {
  it("is A4, with the shop, the supplier, the lines, the total, the note and the terms", async () => {
    const pdf = await purchasePdf(purchase(), shop);
    const boxes = [...pdf.toString("latin1").matchAll(/\/MediaBox \[([^\]]+)\]/g)].map(([, box = ""]) =>
      box.split(" ").map((points) => Math.round((Number(points) * 25.4) / 72)),
    );
    expect(boxes).toEqual([[0, 0, 210, 297]]);
    const [text = ""] = pdfPages(pdf);
    for (const words of [
      "Adwene Books",
      "Ring Road",
      "PO2026-0007",
      "27 Nov 2026",
      "Sedco Publishing",
      "The sales desk",
      "orders@sedco.example",
      "Title 1",
      "ISBN 9780198366744, Adom",
      "1,200",
      "9.99",
      "33.33%",
      "7,992.40",
      "Total GBP 1,234,567.80",
      "Please deliver to the back door.",
      "30 days",
      "PO2026-0007, page 1 of 1",
    ])
      expect(text).toContain(words);
  });

  it("repeats the table's head and numbers the pages, with every one of 1,000 lines once", async () => {
    const pdf = await purchasePdf(purchase({ lines: titles(1_000), note: null, terms: null }), shop);
    const pages = pdfPages(pdf);
    expect(pages.length).toBeGreaterThan(40);
    for (const [at, text] of pages.entries()) {
      expect(text).toContain(`page ${at + 1} of ${pages.length}`);
      expect(text.split("Amount, GBP")).toHaveLength(2);
    }
    const all = pages.join("\n");
    for (const at of [1, 19, 500, 999, 1_000]) expect(all.split(`Title ${at}ISBN`)).toHaveLength(2);
    expect(all.match(/Title \d+ISBN/g)).toHaveLength(1_000);
  });

  it("has the letters of Ghana's languages, wraps long titles, and marks characters that its font lacks", async () => {
    const lines = titles(1).map((line) => ({
      ...line,
      title: `Ɔkɔtɔ ne Ɛsɛ ŋɖƒɣʋ ₵5 書 ${"long words ".repeat(40)}`,
    }));
    const [text = ""] = pdfPages(await purchasePdf(purchase({ lines }), shop));
    expect(text).toContain("Ɔkɔtɔ ne Ɛsɛ ŋɖƒɣʋ ₵5 ?");
    expect(text.match(/long/g)).toHaveLength(40);
  });

  it("is byte-identical for the same purchase order, so that a repeated email is identical too", async () => {
    expect(await purchasePdf(purchase(), shop)).toEqual(await purchasePdf(purchase(), shop));
  });
});

test("the PDF fonts have every printable character", async () => {
  for (const name of ["regular", "bold"]) {
    const font = create(
      await readFile(new URL(`../../server/emails/fonts/print-${name}.ttf`, import.meta.url)),
    );
    if (!("hasGlyphForCodePoint" in font)) throw new Error("It is a collection.");
    const missing = Array.from({ length: 0xffff }, (_, code) => code).filter((code) => {
      const character = String.fromCharCode(code);
      return (
        printable(character) === character && !"?\n".includes(character) && !font.hasGlyphForCodePoint(code)
      );
    });
    expect(missing.map((code) => code.toString(16))).toEqual([]);
  }
});

test("the email goes only to the supplier, replies go to the owner, and the order is attached as PDF and CSV", async () => {
  const mail = await prepareEmail(email(purchase()), settings, { ...shop, ownerEmail: "" });
  expect(mail.to).toBe("orders@sedco.example");
  const head = mail.raw.slice(0, mail.raw.indexOf("\r\n\r\n"));
  expect(head).toContain("To: orders@sedco.example");
  expect(head).toContain("Reply-To: owner@shop.example");
  expect(head).toContain("Subject: Adwene Books: purchase order PO2026-0007");
  expect(head).not.toMatch(/^(Cc|Bcc):/m);
  expect(mail.raw).toMatch(/filename=PO2026-0007\.pdf/);
  expect(mail.raw).toMatch(/filename=PO2026-0007\.csv/);
  expect(mail.raw).toContain("Dear The sales desk,");
  const part = (type: string) =>
    Buffer.from(
      mail.raw
        .split(/\r\n--/)
        .find((one) => one.includes(`Content-Type: ${type}`))
        ?.split("\r\n\r\n")[1] ?? "",
      "base64",
    );
  expect(pdfPages(part("application/pdf")).join()).toContain("Title 2");
  expect(part("text/csv").toString()).toBe(
    "\uFEFFISBN,Title,Publisher,Copies,List price,Discount %,Amount,Currency\r\n" +
      [1, 2].map((at) => `9780198366744,Title ${at},Adom,1200,9.99,33.33,7992.40,GBP\r\n`).join(""),
  );
  await expect(prepareEmail(email(purchase({ email: null })), settings, shop)).rejects.toThrow();
});
