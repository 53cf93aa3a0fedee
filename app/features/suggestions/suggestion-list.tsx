import { type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { countOf } from "#app/lib/count-of.ts";
import { createLatestRequest } from "#app/lib/latest-request.ts";
import { type Suggestion, suggestionsPath } from "./suggestion.ts";

/** After the last key; an average typist needs 200 ms for the next. */
const PAUSE_MS = 150;

/** `active` is the index of the selected suggestion, or -1 for the typed text. */
type Shown = { suggestions: readonly Suggestion[]; active: number };

async function fetchSuggestions(path: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(path, { signal });
  return response.ok ? response.json() : [];
}

/**
 * The list below a search box, a combobox as in the ARIA practices: its arrow keys choose, Enter opens, Escape closes
 * and keeps the text. The box itself is part of the page before this code arrives, and works without it; only the
 * response to the latest text is shown.
 */
export function SuggestionList({ box }: { box: RefObject<HTMLInputElement | null> }) {
  const id = useId();
  const [shown, setShown] = useState<Shown | null>(null);
  const [latest] = useState(createLatestRequest);
  const pending = useRef({ timer: 0, abort: new AbortController() });
  const isNew = useRef(true);
  const count = shown?.suggestions.length ?? 0;
  const optionId = (index: number) => `${id}-${index}`;

  function close(): void {
    window.clearTimeout(pending.current.timer);
    pending.current.abort.abort();
    latest.cancel();
    setShown(null);
  }

  function requestSuggestions(): void {
    const path = suggestionsPath(box.current?.value ?? "");
    if (!path) {
      close();
      return;
    }
    window.clearTimeout(pending.current.timer);
    pending.current.abort.abort();
    const abort = new AbortController();
    const timer = window.setTimeout(async () => {
      const outcome = await latest.run(() => fetchSuggestions(path, abort.signal));
      // Without a response the box still works as a form.
      if (outcome) setShown("result" in outcome ? { suggestions: outcome.result, active: -1 } : null);
    }, PAUSE_MS);
    pending.current = { timer, abort };
  }

  function move(step: 1 | -1): void {
    if (!shown || count === 0) {
      requestSuggestions();
      return;
    }
    // The typed text itself is one of the positions, between the last and the first.
    const positions = count + 1;
    setShown({ ...shown, active: ((shown.active + 1 + step + positions) % positions) - 1 });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Escape" && count > 0) close();
    else if (event.key === "Enter" && shown && shown.active >= 0)
      document.getElementById(optionId(shown.active))?.click();
    else return;
    event.preventDefault();
  }

  // The page renders the box without knowing about this list. A layout effect, because the keys must be bound before the
  // list is painted: until then Escape would clear the box.
  useLayoutEffect(() => {
    const input = box.current;
    if (!input) return;
    const active = shown && shown.active >= 0 ? shown.active : null;
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-expanded": String(count > 0),
      "aria-activedescendant": active === null ? null : optionId(active),
    };
    for (const [name, value] of Object.entries(attributes))
      if (value === null) input.removeAttribute(name);
      else input.setAttribute(name, value);
    if (active !== null) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
    const handlers = { input: requestSuggestions, keydown: onKeyDown as EventListener, blur: close };
    for (const [type, handler] of Object.entries(handlers)) input.addEventListener(type, handler);
    input.form?.addEventListener("submit", close);
    // For what was typed while this code was loading.
    if (isNew.current && document.activeElement === input) requestSuggestions();
    isNew.current = false;
    return () => {
      for (const [type, handler] of Object.entries(handlers)) input.removeEventListener(type, handler);
      input.form?.removeEventListener("submit", close);
    };
  });

  function pick(): void {
    close();
    box.current?.form?.reset();
  }

  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={count === 0}
        className="absolute inset-x-0 top-full z-40 mt-1 max-h-[min(28rem,60dvh)] overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-surface py-1 shadow-float"
      >
        {shown?.suggestions.map(({ text, note, to }, index) => (
          <Link
            key={to}
            to={to}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === shown.active}
            // Keeps the focus in the box, so that the list stays open until the click is handled.
            onMouseDown={(event) => event.preventDefault()}
            onClick={pick}
            className="flex min-h-11 flex-col justify-center px-5 py-1.5 text-15 no-underline hover:bg-tint aria-selected:bg-tint aria-selected:text-green"
          >
            <span className="line-clamp-4 wrap-anywhere">{text}</span>
            {note && <span className="text-13 text-muted">{note}</span>}
          </Link>
        ))}
      </div>
      <p role="status" className="sr-only">
        {shown && (count > 0 ? countOf(count, "suggestion") : "No suggestions")}
      </p>
    </>
  );
}
