import { formatAmount, hundredthsOf } from "#shared/orders/purchase-file.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import type { EmailPurchase } from "./claimed-email.ts";
import type { Content } from "./payment-email.ts";
import { oneLine } from "./typed-text.ts";

/** To the supplier: the purchase order, which is attached as a PDF and as CSV. */
export function purchaseSent(purchase: EmailPurchase): Content {
  const { reference, contact_name, currency, lines, note } = purchase;
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const facts: [name: string, value: string][] = [
    ["Purchase order", reference],
    ["Date", formatDay(purchase.sent_at)],
    ["Titles", countOf(lines.length, "title")],
    ["Copies", countOf(copies, "copy", "copies")],
    ["Total", formatAmount(hundredthsOf(purchase.total), currency)],
    ["Note", oneLine(note)],
  ];
  return {
    subject: `purchase order ${reference}`,
    heading: `Purchase order ${reference}`,
    blocks: [
      { kind: "text", text: contact_name ? `Dear ${oneLine(contact_name)},` : "Hello," },
      {
        kind: "text",
        text: "Please supply the books in the attached purchase order. The PDF is for reading and printing; the CSV file has the same lines for your system. Please reply to this email with any questions.",
      },
      { kind: "facts", facts: facts.filter(([, value]) => value !== "") },
    ],
  };
}
