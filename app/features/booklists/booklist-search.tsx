import { Form, Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { SEARCH_LENGTH } from "#shared/text/search-text.ts";
import { type FoundBooklist, MAX_FOUND } from "./booklist.ts";
import { booklistAddress } from "./booklist-code.ts";

/** Finds a list by its code, or by its school. A plain form, so that it needs no JavaScript. */
export function BooklistSearch({ q, found }: { q: string; found: FoundBooklist[] | null }) {
  return (
    <>
      <Form
        action="/lists"
        role="search"
        aria-label="Booklists"
        className="flex max-w-180 flex-wrap items-start gap-3"
      >
        <InputField
          // A new search remounts the box, so that it shows the new text.
          key={q}
          label="List code or school name"
          hint="The code is on the school's letter or poster, such as K7PXM-3Q9TB. You can also type school and class."
          name="q"
          type="search"
          defaultValue={q}
          maxLength={SEARCH_LENGTH * 2}
          autoComplete="off"
          enterKeyHint="search"
          className="min-w-0 grow basis-60"
        />
        <Button type="submit" className="sm:mt-7.5">
          Find List
        </Button>
      </Form>
      {found && (
        <section aria-labelledby="found-lists" className="mt-10">
          <h2 id="found-lists" className="text-25">
            {found.length === 0 ? "No list found" : "Booklists"}
          </h2>
          {found.length === 0 && (
            <p className="measure mt-2 text-muted">
              Check the code, or type at least three letters of the school's name without the class. Some
              schools share their lists by code only.
            </p>
          )}
          {found.length === MAX_FOUND && (
            <p className="measure mt-2 text-muted">
              The first {MAX_FOUND} lists. Add more of the school's name, or the class, to find yours.
            </p>
          )}
          <ul className="mt-4 max-w-180 border-t border-line empty:hidden">
            {found.map(({ code, school, class_name, school_year }) => (
              <li key={code} className="border-b border-line">
                <Link
                  to={booklistAddress(code)}
                  className="flex min-h-14 flex-wrap items-baseline justify-between gap-x-4 py-3.5 hover:text-green active:bg-tint"
                >
                  <span className="font-semibold wrap-anywhere">
                    <bdi>{class_name}</bdi>, <bdi>{school}</bdi>
                  </span>
                  <span className="figures text-15 text-muted">{school_year}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
