import { type ReactNode, useDeferredValue } from "react";
import { useWatch } from "react-hook-form";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { compactIsbn, parseIsbn13, restoreIsbn10Zeros } from "#app/lib/isbn.ts";
import { listBooksByIsbn } from "./book.admin-queries.ts";
import type { BookFormControl } from "./book-fields.tsx";
import { internalCode } from "./book-form.ts";

type IsbnFieldProps = { form: BookFormControl; bookId: string | null; label: ReactNode };

/** The ISBN, with hints that never block: a digit that does not fit, and other books that carry the same one. */
export function IsbnField({ form, bookId, label }: IsbnFieldProps) {
  const typed = useWatch({ control: form.control, name: "isbn" });
  const key = useDeferredValue(isbnKey(typed));
  const twins = useAdminQuery(["books", "isbn", key], (client) => listBooksByIsbn(client, key), {
    enabled: key.length >= 4,
  });
  const others = (key.length >= 4 && twins.data ? twins.data : []).filter((book) => book.id !== bookId);
  const mistyped = looksMistyped(typed) && "The check digit does not fit: please compare with the book.";
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
        error={form.formState.errors.isbn?.message ?? null}
        hint={twin || mistyped}
        {...form.register("isbn")}
      />
      {typed.trim() === "" && (
        <Button
          variant="quiet"
          size="small"
          className="mt-1 -ml-3"
          onClick={() =>
            form.setValue("isbn", internalCode(Math.random), { shouldDirty: true, shouldValidate: true })
          }
        >
          Use an internal code
        </Button>
      )}
    </div>
  );
}

/** What the database identifies the book by (private.isbn_key): its ISBN-13, else its code, whatever joins the parts. */
function isbnKey(text: string): string {
  const isbn13 = parseIsbn13(restoreIsbn10Zeros(text) ?? text);
  if (isbn13) return isbn13;
  const code = compactIsbn(text).replace(/[^0-9A-Z]/g, "");
  if (/^\d+X?$/.test(code)) return code;
  return text
    .toUpperCase()
    .replace(/[^0-9A-Z]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** As long as an ISBN and made of its signs, but without a fitting check digit. */
function looksMistyped(text: string): boolean {
  return /^(\d{9}[\dX]|\d{13})$/.test(compactIsbn(text)) && parseIsbn13(text) === null;
}
