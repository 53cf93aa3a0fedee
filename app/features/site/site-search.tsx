import { type FormEvent, useId, useRef } from "react";
import { Form, useNavigate } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { createLazyModule } from "#app/lib/react/create-lazy-module.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { searchPath } from "./navigation.ts";

/** Loaded when the box gets the focus; until then it is a plain search box. */
const suggestions = createLazyModule(
  () => import("#app/features/suggestions/suggestion-list.tsx"),
  () => undefined,
);

/** The search in the header and the mobile menu. Without JavaScript it is a plain form. */
export function SiteSearch({ label, className = "" }: { label?: string; className?: string }) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const loaded = useStore(suggestions);
  const navigate = useNavigate();

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const query = String(new FormData(form).get("q") ?? "").trim();
    if (!query) return;
    form.reset();
    void navigate(searchPath(query));
  }

  return (
    <Form
      action="/search"
      role="search"
      aria-label={label}
      onSubmit={search}
      className={`relative ${className}`}
    >
      <label htmlFor={id} className="sr-only">
        Search books
      </label>
      <input
        ref={box}
        id={id}
        onFocus={suggestions.fetch}
        onInput={suggestions.fetch}
        type="search"
        name="q"
        placeholder="Search books..."
        enterKeyHint="search"
        autoComplete="off"
        className="search-box"
      />
      <button type="submit" aria-label="Search" className="search-button">
        <Icon name="search" />
      </button>
      {loaded && <loaded.SuggestionList box={box} pathOf={searchPath} />}
    </Form>
  );
}
