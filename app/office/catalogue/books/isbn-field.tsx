import { type ReactNode, useDeferredValue } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { isbnKey, isbnsIn, looksLikeIsbn } from "#app/features/books/isbn.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listBooksByIsbn } from "./book.admin-queries.ts";
import { internalCode } from "./book-form.ts";
import type { BookForm } from "./use-book-form.ts";

type IsbnFieldProps = { form: BookForm; bookId: string | null; label: ReactNode };

/** The ISBN, with hints that never block saving: a wrong check digit, and other books with the same ISBN. */
export function IsbnField({ form, bookId, label }: IsbnFieldProps) {
  const typed = form.typed.isbn;
  const key = useDeferredValue(isbnKey(typed));
  const twins = useAdminQuery(["books", "isbn", key], (client) => listBooksByIsbn(client, key), {
    enabled: key.length >= 4,
  });
  const others = (key.length >= 4 && twins.data ? twins.data : []).filter((book) => book.id !== bookId);
  const isbns = isbnsIn(typed);
  const mistyped =
    looksLikeIsbn(typed) &&
    (isbns.length > 1
      ? "These are several ISBNs. A book has one."
      : isbns.length === 0 && "The check digit is wrong. Please compare with the book.");
  const twin = others.length > 0 && (
    <>
      Another book has this ISBN: <JoinedTexts texts={others.map((book) => book.title)} separator=", " />.{" "}
      {mistyped}
    </>
  );
  return (
    <div>
      <InputField
        label={label}
        aria-required
        autoComplete="off"
        error={form.problems.isbn}
        hint={twin || mistyped}
        name="isbn"
        value={typed}
        onChange={({ target }) => form.change("isbn", target.value)}
      />
      {typed.trim() === "" && (
        <Button
          variant="quiet"
          size="small"
          className="mt-1 -ml-3"
          onClick={() => form.change("isbn", internalCode(Math.random))}
        >
          Use an internal code
        </Button>
      )}
    </div>
  );
}
