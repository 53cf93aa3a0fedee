import { useState } from "react";
import { useForm } from "#app/components/use-form.ts";
import type { BookField, BookValues } from "#app/features/books/book-fields.ts";
import type { BookRecord } from "./book.admin-queries.ts";
import { type BookFormInput, type BookFormProblems, bookFormInput, readBookForm } from "./book-form.ts";

export type BookForm = {
  typed: BookFormInput;
  /** Shown from the first submission on, and updated while typing. */
  problems: BookFormProblems;
  /** Whether anything typed differs from the stored book. */
  dirty: boolean;
  change: (field: BookField, text: string) => void;
};

/** The state of the book form; `save` is called with its values once nothing is wrong with them. */
export function useBookForm(loaded: BookRecord | null, save: (values: BookValues) => void) {
  const [submitted, setSubmitted] = useState(false);
  const { values, dirty, change, formProps } = useForm<BookFormInput>({
    fields: bookFormInput(loaded),
    rules: (typed) => readBookForm(typed).problems,
    onInvalid: () => setSubmitted(true),
    send(typed) {
      setSubmitted(true);
      save(readBookForm(typed).values);
    },
  });
  const form: BookForm = {
    typed: values,
    problems: submitted ? readBookForm(values).problems : {},
    dirty,
    change,
  };
  return { form, formProps };
}
