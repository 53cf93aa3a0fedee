import type { FormEvent } from "react";
import { Form } from "react-router";
import { Button } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { SEARCH_LENGTH } from "#shared/text/search-text.ts";

/** The master search's box, which keeps the chosen order. Blank text is not submitted. */
export function SearchBox({ q, sort }: { q: string; sort: string }) {
  function stopIfBlank(event: FormEvent<HTMLFormElement>) {
    const text = String(new FormData(event.currentTarget).get("q") ?? "");
    if (!text.trim()) event.preventDefault();
  }
  return (
    <Form
      action="/search"
      role="search"
      aria-label="Everything"
      onSubmit={stopIfBlank}
      className="mt-6 flex max-w-180 gap-2"
    >
      <label htmlFor="master-search" className="sr-only">
        Search for
      </label>
      <input
        // A new search remounts the box, so that it shows the new text.
        key={q}
        id="master-search"
        type="search"
        name="q"
        defaultValue={q}
        maxLength={SEARCH_LENGTH * 2}
        enterKeyHint="search"
        placeholder="Title, publisher, course, subject, ISBN"
        className={controlClass}
      />
      {sort && <input type="hidden" name="sort" value={sort} />}
      <Button type="submit">Search</Button>
    </Form>
  );
}
