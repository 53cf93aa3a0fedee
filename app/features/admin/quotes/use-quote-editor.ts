import { useState } from "react";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { quoteTotals } from "#app/features/quotes/quote.ts";
import {
  type BookToQuote,
  type QuoteRecord,
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

/** The state of a quote's form and its actions. `onSaved` gets the version that the quote has after a change. */
export function useQuoteEditor(quote: QuoteRecord, onSaved: (version: number) => void) {
  const [stored] = useState(() => typedQuote(quote));
  const [typed, setTyped] = useState(stored);
  const [submitted, setSubmitted] = useState(false);
  const { values, wrong, problem } = readQuoteForm(typed);
  const dirty = JSON.stringify(typed) !== JSON.stringify(stored);

  const save = useAdminMutation({
    run: async (client, { send }: { send: boolean }) => {
      const version = dirty ? await updateQuote(client, quote, values) : quote.version;
      if (!send) return { version, reference: null };
      return { reference: await sendQuote(client, quote.id, version), version: version + 1 };
    },
    success: ({ reference }) => ({ title: reference ? `Quote ${reference} sent` : "Quote saved" }),
    failure: "Failed to save quote",
    onSuccess: ({ version }) => onSaved(version),
  });
  const withdraw = useAdminMutation({
    run: (client) => withdrawQuote(client, quote),
    success: () => ({ title: "Quote withdrawn" }),
    failure: "Failed to withdraw quote",
    onSuccess: () => onSaved(quote.version + 1),
  });

  const change = (changes: Partial<TypedQuote>) => setTyped((now) => ({ ...now, ...changes }));
  const changeLines = (edit: (lines: readonly TypedLine[]) => readonly TypedLine[]) =>
    setTyped((now) => ({ ...now, lines: edit(now.lines) }));
  const totals = quoteTotals(
    typed.lines.map((line) => ({
      shop_price: line.shop_price,
      quantity: readQuotedQuantity(line.quantity) ?? 0,
      unit_price: readQuotedPrice(line.price),
    })),
  );

  return {
    typed,
    dirty,
    totals,
    /** Shown from the first attempt to save on, and updated while typing. */
    wrong: submitted ? wrong : new Map<string, { quantity: boolean; price: boolean }>(),
    problem: submitted ? problem : null,
    busy: save.isPending || withdraw.isPending,
    change,
    changeLine: (bookId: string, changes: Partial<TypedLine>) =>
      changeLines((lines) => lines.map((line) => (line.book_id === bookId ? { ...line, ...changes } : line))),
    removeLine: (bookId: string) => changeLines((lines) => lines.filter(({ book_id }) => book_id !== bookId)),
    addLine: (book: BookToQuote) => changeLines((lines) => [...lines, lineOfBook(book)]),
    applyDiscount: (percent: number) => changeLines((lines) => discounted(lines, percent)),
    submit(send: boolean) {
      setSubmitted(true);
      if (problem === null) save.mutate({ send });
    },
    withdraw: () => withdraw.mutate(undefined),
  };
}
