import { type FormEvent, useState } from "react";
import { type BookField, type BookValues, bookFieldNames } from "#app/features/books/book-fields.ts";
import type { BookRecord } from "./book.admin-queries.ts";
import { type BookFormInput, type BookFormProblems, bookFormInput, readBookForm } from "./book-form.ts";

export type BookForm = {
  typed: BookFormInput;
  /** Shown from the first submission on, and kept up to date while typing. */
  problems: BookFormProblems;
  /** Whether anything typed differs from the stored book. */
  dirty: boolean;
  change: (field: BookField, text: string) => void;
};

/** The state of the book form; `save` is called with its values once nothing is wrong with them. */
export function useBookForm(
  loaded: BookRecord | null,
  save: (values: BookValues) => void,
): BookForm & { submit: (event: FormEvent<HTMLFormElement>) => void } {
  const [stored] = useState(() => bookFormInput(loaded));
  const [typed, setTyped] = useState(stored);
  const [submitted, setSubmitted] = useState(false);
  const { values, problems } = readBookForm(typed);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setSubmitted(true);
    if (Object.keys(problems).length === 0) save(values);
    else focusFirst(event.currentTarget, problems);
  }

  return {
    typed,
    problems: submitted ? problems : {},
    dirty: bookFieldNames.some((field) => typed[field] !== stored[field]),
    change: (field, text) => setTyped((before) => ({ ...before, [field]: text })),
    submit,
  };
}

function focusFirst(form: HTMLFormElement, problems: BookFormProblems): void {
  const controls = form.querySelectorAll<HTMLElement & { name: string }>("input, textarea");
  [...controls].find(({ name }) => name in problems)?.focus();
}
