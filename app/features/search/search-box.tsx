import type { FormEvent } from "react";
import { Form } from "react-router";
import { Button } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { SEARCH_LENGTH } from "#app/features/catalogue/catalogue-query.ts";

/** The master search's own box. A blank text is not sent. */
export function SearchBox({ q }: { q: string }) {
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
        // Another search is another box, so that it shows what was searched for.
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
      <Button type="submit">Search</Button>
    </Form>
  );
}
