import { useState } from "react";
import type { BookToAdd } from "#app/office/frame/lines/book-to-add.admin-queries.ts";
import { addOne, useDraftActions, useTypedLines } from "#app/office/frame/lines/use-draft.ts";
import {
  cancelPurchase,
  type PurchaseRecord,
  sendPurchase,
  updatePurchase,
} from "./purchase.admin-queries.ts";
import { lineAmount } from "./purchase.ts";
import {
  lineOfBook,
  readLine,
  readPurchaseForm,
  type TypedLine,
  type TypedPurchase,
  typedPurchase,
  type WrongFields,
} from "./purchase-form.ts";

/** What a typed line costs in hundredths; null while it is incomplete. */
export function amountOf(line: TypedLine): number | null {
  const { copies, listPrice, discount } = readLine(line);
  if (copies === null || listPrice === null || discount === null) return null;
  return lineAmount({ copies, listPrice, discount });
}

/** The name under which a purchase order's text is kept. */
export const keptPurchase = ({ id }: { id: string }) => `purchase ${id}`;

/** The state of a purchase order's form and its actions. `onSaved` gets the version that it has after a change. */
export function usePurchaseEditor(purchase: PurchaseRecord, onSaved: (version: number) => void) {
  const form = useTypedLines<TypedLine, TypedPurchase>(() => typedPurchase(purchase), {
    // What has arrived can no longer be changed.
    name: purchase.lines.some(({ received }) => received > 0) ? null : keptPurchase(purchase),
    version: purchase.version,
  });
  const { typed, dirty } = form;
  const [submitted, setSubmitted] = useState(false);
  const { values, wrong, problem: mistake } = readPurchaseForm(typed);
  const [isEmptySent, setEmptySent] = useState(false);
  const problem = mistake ?? (isEmptySent && typed.lines.length === 0 ? "Add at least one book." : null);
  const { busy, save, end } = useDraftActions({
    version: purchase.version,
    update: dirty ? (client) => updatePurchase(client, purchase, values) : null,
    send: (client, version) => sendPurchase(client, { id: purchase.id, version }),
    end: (client) => cancelPurchase(client, purchase),
    words: {
      saved: (reference) => (reference ? `${reference} marked as sent` : "Purchase order saved"),
      notSaved: "Failed to save the purchase order",
      ended: "Purchase order cancelled",
      notEnded: "Failed to cancel the purchase order",
    },
    onSaved: (version) => {
      form.kept.forget();
      onSaved(version);
    },
  });

  return {
    ...form,
    total: typed.lines.reduce((sum, line) => sum + (amountOf(line) ?? 0), 0),
    /** Shown from the first attempt to save on, and updated while typing. */
    wrong: submitted ? wrong : new Map<string, WrongFields>(),
    problem: submitted ? problem : null,
    busy,
    addLine: (book: BookToAdd) => form.addLine(lineOfBook(book, purchase)),
    addCopy: (bookId: string) => form.editLine(bookId, ({ copies }) => ({ copies: addOne(copies) })),
    submit(send: boolean) {
      setSubmitted(true);
      setEmptySent(send);
      if (mistake === null && !(send && typed.lines.length === 0)) save(send);
    },
    end,
  };
}
