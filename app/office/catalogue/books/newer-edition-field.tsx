import { type ReactNode, useDeferredValue } from "react";
import { InputField } from "#app/components/field.tsx";
import { isbnKey, isbnsIn } from "#app/features/books/isbn.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listBooksByIsbn } from "./book.admin-queries.ts";
import type { BookForm } from "./use-book-form.ts";

/** The ISBN of the edition that replaces the book, with that book's title where the shop has it. */
export function NewerEditionField({ form, label }: { form: BookForm; label: ReactNode }) {
  const typed = form.typed.newer_isbn;
  const isIsbn = useDeferredValue(isbnsIn(typed).length === 1);
  const key = useDeferredValue(isbnKey(typed));
  const named = useAdminQuery(["books", "isbn", key], (client) => listBooksByIsbn(client, key), {
    enabled: isIsbn,
  });
  const [book] = named.data ?? [];
  const found = book ? (
    <>
      {book.title}.{" "}
      {book.for_sale > -2
        ? "Customers see a link to it."
        : "It is not for sale, so customers see no link to it."}
    </>
  ) : (
    "The shop doesn't have this book yet."
  );
  return (
    <InputField
      label={label}
      autoComplete="off"
      error={form.problems.newer_isbn}
      hint={isIsbn && named.data ? found : "The ISBN of the edition that replaces this one."}
      name="newer_isbn"
      value={typed}
      onChange={({ target }) => form.change("newer_isbn", target.value)}
    />
  );
}
