import { useState } from "react";
import { isDownloaded } from "#app/features/cart/cart.ts";
import { findDeliveryFee } from "#app/features/checkout/delivery-fee.queries.ts";
import { quoteTotals } from "#app/features/quotes/quote.ts";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { addOne, useDraftActions, useTypedLines } from "#app/office/frame/lines/use-draft.ts";
import { type Pesewas, pesewasFromCedis, sumPesewas } from "#shared/text/money.ts";
import type { QuotedBook } from "./pasted-quote.ts";
import {
  type QuoteRecord,
  type QuoteValues,
  sendQuote,
  updateQuote,
  withdrawQuote,
} from "./quote.admin-queries.ts";
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

/** What delivery costs as it is typed; `byFees` is what the shop's fees say. */
function feeOf({ pricing, fee }: QuoteValues["delivery"], byFees: Pesewas | null | undefined) {
  if (pricing === "included") return pesewasFromCedis(0);
  return pricing === "agreed" ? (fee ?? undefined) : byFees;
}

/** The name under which a quote's text is kept. */
export const keptQuote = ({ id }: { id: string }) => `quote ${id}`;

/** The state of a quote's form and its actions. `onSaved` gets the version that the quote has after a change. */
export function useQuoteEditor(quote: QuoteRecord, onSaved: (version: number) => void) {
  const form = useTypedLines<TypedLine, TypedQuote>(() => typedQuote(quote), {
    // What was accepted can no longer be changed.
    name: quote.status === "accepted" ? null : keptQuote(quote),
    version: quote.version,
  });
  const { typed, dirty } = form;
  const [submitted, setSubmitted] = useState(false);
  const { values, wrong, problem } = readQuoteForm(typed);
  const { books, ...priced } = quoteTotals(
    typed.lines.map((line) => ({
      shop_price: line.shop_price,
      quantity: readQuotedQuantity(line.quantity) ?? 0,
      unit_price: readQuotedPrice(line.price),
    })),
  );
  const downloaded = isDownloaded(typed.lines.map(({ kind }) => ({ book: { kind: kind ?? "" } })));
  const byFees = useAdminQuery(
    ["quotes", "delivery fee", values.delivery.method, values.delivery.region, books],
    (client) =>
      findDeliveryFee(
        client,
        { region: values.delivery.region, delivery_method: values.delivery.method },
        books,
      ),
  );
  // What was sent stays, whatever the fees say by now; a change makes it a draft.
  const fee = downloaded
    ? pesewasFromCedis(0)
    : quote.sent_at && !dirty
      ? quote.delivery_fee
      : feeOf(values.delivery, byFees.data);
  const { busy, save, end } = useDraftActions({
    version: quote.version,
    update: dirty ? (client) => updateQuote(client, quote, values) : null,
    send: (client, version) => sendQuote(client, quote.id, version, fee ?? null),
    end: (client) => withdrawQuote(client, quote),
    words: {
      saved: (reference) => (reference ? `Quote ${reference} sent` : "Quote saved"),
      notSaved: "Failed to save quote",
      ended: "Quote withdrawn",
      notEnded: "Failed to withdraw quote",
    },
    onSaved: (version) => {
      form.kept.forget();
      onSaved(version);
    },
  });

  const needsRegion = fee === null;
  return {
    ...form,
    totals: { ...priced, total: sumPesewas([books, fee ?? pesewasFromCedis(0)]) },
    delivery: {
      downloaded,
      /** Null while the fees need a region; undefined while they are being read. */
      fee,
      failure: readFailure("delivery fee", byFees),
    },
    /** Shown from the first attempt to save on, and updated while typing. */
    wrong: submitted ? wrong : new Map<string, { quantity: boolean; price: boolean }>(),
    problem: submitted
      ? (problem ?? (needsRegion ? "Choose a region: the delivery fee depends on it." : null))
      : null,
    busy,
    addLine: (book: BookToAdd) => form.addLine(lineOfBook(book)),
    addBooks: (books: readonly QuotedBook[]) =>
      form.changeLines((lines) => [
        ...lines,
        ...books.map(({ book, quantity }) => ({ ...lineOfBook(book), quantity: String(quantity) })),
      ]),
    addCopy: (bookId: string) => form.editLine(bookId, ({ quantity }) => ({ quantity: addOne(quantity) })),
    applyDiscount: (percent: number) => form.changeLines((lines) => discounted(lines, percent)),
    submit(send: boolean) {
      setSubmitted(true);
      if (problem === null && !(send && needsRegion)) save(send);
    },
    end,
  };
}
