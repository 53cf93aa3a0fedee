import { deliveryPriceWords, quotedDestination } from "#shared/orders/quote-delivery.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis, pesewasFromCedis, sumPesewas, timesQuantity } from "#shared/text/money.ts";
import type { EmailQuote } from "./claimed-email.ts";
import type { Block } from "./layout.ts";
import type { Content } from "./payment-email.ts";
import { titleLines } from "./title-lines.ts";
import { oneLine, typedText } from "./typed-text.ts";

const facts = (all: [name: string, value: string][]): Block => ({
  kind: "facts",
  facts: all.filter(([, value]) => value !== ""),
});

/** 'Delivery' with its amount, or with the words in its place. */
function deliveryLine(quote: EmailQuote) {
  const { delivery_fee: fee } = quote;
  return {
    text: "Delivery",
    note: quotedDestination(quote) ?? "",
    amount: deliveryPriceWords(quote, fee) ?? formatCedis(pesewasFromCedis(fee ?? 0)),
  };
}

function quoteLines(quote: EmailQuote): Block[] {
  const { lines } = quote;
  const priced = lines.map(({ unit_price, ...line }) => ({ ...line, price: unit_price }));
  const { shown, more } = titleLines(priced, "quote");
  const total = sumPesewas([
    ...priced.map(({ price, quantity }) => timesQuantity(pesewasFromCedis(price), quantity)),
    pesewasFromCedis(quote.delivery_fee ?? 0),
  ]);
  return [
    { kind: "lines", lines: [...shown, deliveryLine(quote)], total: formatCedis(total) },
    ...(more ? [{ kind: "text", text: more } as const] : []),
  ];
}

/** To the school: its quote is ready. */
export function quoteReady(quote: EmailQuote, siteUrl: string): Content {
  return {
    subject: `your quote ${quote.reference}`,
    heading: "Your quote is ready",
    blocks: [
      {
        kind: "text",
        text: quote.token
          ? "Here are our prices. On the quote's page you can print a pro-forma invoice. To order at these prices, sign in or create an account there."
          : "Here are our prices for the books you asked about. On the quote's page you can print a pro-forma invoice, and order at these prices with your purchase order number.",
      },
      facts([
        ["Quote", quote.reference ?? ""],
        ["For", typedText(quote.institution)],
        ["Valid until", quote.valid_until ? formatDay(quote.valid_until) : ""],
        ["Note", oneLine(quote.note)],
      ]),
      ...quoteLines(quote),
      {
        kind: "link",
        label: "View your quote",
        // In the fragment, which browsers send to nobody.
        url: `${siteUrl}/quotes/${quote.id}${quote.token ? `#${quote.token}` : ""}`,
      },
    ],
  };
}

/** To the owner: a school has requested a quote. */
export function quoteRequested(quote: EmailQuote, siteUrl: string): Content {
  return {
    subject: "new quote request",
    heading: "New quote request",
    blocks: [
      facts([
        ["School or institution", typedText(quote.institution)],
        ["Contact person", typedText(quote.name)],
        // Checked when it was requested; staff copy it.
        ["Email", oneLine(quote.email)],
        ["Phone", typedText(quote.phone)],
        ["Message", typedText(quote.message)],
      ]),
      ...quoteLines(quote),
      { kind: "link", label: "Prepare the quote", url: `${siteUrl}/admin/quotes/${quote.id}` },
    ],
  };
}
