import { formatCedis, pesewasFromCedis } from "#shared/text/money.ts";
import type { EmailStockAlert } from "./claimed-email.ts";
import type { Content } from "./payment-email.ts";
import { oneLine } from "./typed-text.ts";

/** Email programs cut off longer subjects, and "is back in stock" with them. */
const LONGEST = 80;

function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : title;
}

/** To a customer who requested it: a sold-out book is back in stock, or one that was coming soon is there. */
export function aboutStockAlert({ book, is_new }: EmailStockAlert, siteUrl: string): Content {
  const title = oneLine(book.title);
  return {
    subject: `${shorten(title)} is ${is_new ? "" : "back "}in stock`,
    heading: `The book you asked for is ${is_new ? "here" : "back"}`,
    blocks: [
      {
        kind: "text",
        text: `You asked us to email you when this book was ${is_new ? "" : "back "}in stock. Stock is limited and we can't hold copies, so please order soon if you still need one.`,
      },
      {
        kind: "lines",
        lines: [
          { text: title, note: oneLine(book.publisher), amount: formatCedis(pesewasFromCedis(book.price)) },
        ],
      },
      { kind: "link", label: "View the book", url: `${siteUrl}/books/${book.id}` },
      { kind: "text", text: "This is the only email we'll send you about this book, unless you ask again." },
    ],
  };
}
