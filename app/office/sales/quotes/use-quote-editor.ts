import { useState } from "react";
import { quoteTotals } from "#app/features/quotes/quote.ts";
import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { addOne, useDraftActions, useTypedLines } from "#app/office/frame/lines/use-draft.ts";
import { type QuoteRecord, sendQuote, updateQuote, withdrawQuote } from "./quote.admin-queries.ts";
import {
  discounted,
  lineOfBook,
  readQuotedPrice,
  readQuotedQuantity,
  readQuoteForm,
  type TypedLine,
  type TypedQuote,
  typedQuote,
} from "./quote-form.ts";

/** The state of a quote's form and its actions. `onSaved` gets the version that the quote has after a change. */
export function useQuoteEditor(quote: QuoteRecord, onSaved: (version: number) => void) {
  const form = useTypedLines<TypedLine, TypedQuote>(() => typedQuote(quote));
  const { typed, dirty } = form;
  const [submitted, setSubmitted] = useState(false);
  const { values, wrong, problem } = readQuoteForm(typed);
  const { busy, save, end } = useDraftActions({
    version: quote.version,
    update: dirty ? (client) => updateQuote(client, quote, values) : null,
    send: (client, version) => sendQuote(client, quote.id, version),
    end: (client) => withdrawQuote(client, quote),
    words: {
      saved: (reference) => (reference ? `Quote ${reference} sent` : "Quote saved"),
      notSaved: "Failed to save quote",
      ended: "Quote withdrawn",
      notEnded: "Failed to withdraw quote",
    },
    onSaved,
  });
  const totals = quoteTotals(
    typed.lines.map((line) => ({
      shop_price: line.shop_price,
      quantity: readQuotedQuantity(line.quantity) ?? 0,
      unit_price: readQuotedPrice(line.price),
    })),
  );

  return {
    ...form,
    totals,
    /** Shown from the first attempt to save on, and updated while typing. */
    wrong: submitted ? wrong : new Map<string, { quantity: boolean; price: boolean }>(),
    problem: submitted ? problem : null,
    busy,
    addLine: (book: BookToAdd) => form.addLine(lineOfBook(book)),
    addCopy: (bookId: string) => form.editLine(bookId, ({ quantity }) => ({ quantity: addOne(quantity) })),
    applyDiscount: (percent: number) => form.changeLines((lines) => discounted(lines, percent)),
    submit(send: boolean) {
      setSubmitted(true);
      if (problem === null) save(send);
    },
    end,
  };
}
