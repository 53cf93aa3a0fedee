import { useState } from "react";
import type { FieldErrors } from "#app/components/use-form.ts";
import { type BookValues, bookFieldNames } from "#app/features/books/book-fields.ts";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import type { BookRecord } from "./book.admin-queries.ts";
import { type BookFormInput, bookFormInput, readBookForm } from "./book-form.ts";
import { readReason, type StockReason } from "./stock-reasons.ts";

/** The book's fields, then why its stock was changed. */
type Typed = BookFormInput & { reason: string; note: string };

export type BookForm = {
  typed: Typed;
  /** Shown from the first submission on, and updated while typing. */
  problems: FieldErrors<Typed>;
  /** Whether anything typed differs from the stored book. */
  dirty: boolean;
  /** By how many copies the stored book's stock is changed; 0 for a new book. */
  copies: number;
  change: (field: keyof Typed, text: string) => void;
};

/** What a save writes: `because` is why the stock was changed, null if it was not. */
export type BookEdit = { values: BookValues; because: StockReason | null };

/**
 * The state of the book form.
 * @param loaded the book that it starts from, null for a new one
 * @param base the book as it was last read, which a save compares with
 * @param save called with the form's values once nothing is wrong with them
 */
export function useBookForm(
  loaded: BookRecord | null,
  base: BookRecord | null,
  save: (edit: BookEdit) => void,
) {
  const [submitted, setSubmitted] = useState(false);

  function read(typed: Typed) {
    const { values, problems } = readBookForm(typed, base);
    const copies = base && !problems.stock_quantity ? values.stock_quantity - base.stock_quantity : 0;
    const reason = copies === 0 ? null : readReason(typed.reason, copies);
    const missing = copies !== 0 && reason === null;
    return {
      values,
      copies,
      because: reason && { reason, note: typed.note },
      problems: { ...problems, ...(missing && { reason: "Choose why the stock has changed" }) },
    };
  }

  const { values, dirty, change, setValues, formProps, kept } = useKeptForm<Typed>({
    kept: `book ${loaded?.id ?? "new"}`,
    fields: { ...bookFormInput(loaded), reason: "", note: "" },
    rules: (typed) => read(typed).problems,
    onInvalid: () => setSubmitted(true),
    send(typed) {
      setSubmitted(true);
      const { values, because } = read(typed);
      save({ values, because });
    },
  });
  const now = read(values);
  const form: BookForm = {
    typed: values,
    problems: submitted ? now.problems : {},
    dirty,
    copies: now.copies,
    change,
  };
  /** Fields that were not edited here follow what someone else has saved. */
  function follow(current: BookRecord): void {
    const [before, after] = [bookFormInput(base), bookFormInput(current)];
    setValues((typed) => ({
      ...typed,
      ...Object.fromEntries(
        bookFieldNames.filter((name) => typed[name] === before[name]).map((name) => [name, after[name]]),
      ),
    }));
  }
  return { form, formProps, follow, kept };
}
