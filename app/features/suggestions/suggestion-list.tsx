import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { createLatestRequest } from "#app/lib/backend/latest-request.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type Suggestion, suggestionsPath } from "./suggestion.ts";

/** After the last key; an average typist needs 200 ms for the next. */
const PAUSE_MS = 150;

/** `active` is the index of the selected option, the link to all results being the last, or -1 for the typed text. */
type Shown = { typed: string; suggestions: readonly Suggestion[]; active: number };

async function fetchSuggestions(path: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(path, { signal });
  return response.ok ? response.json() : [];
}

type SuggestionListProps = {
  box: RefObject<HTMLInputElement | null>;
  /** The path of all results for a text. */
  pathOf: (typed: string) => string;
};

/**
 * The list below a search box, a combobox as in the ARIA practices: its arrow keys choose, Enter opens, Escape closes
 * and keeps the text. The box itself is part of the page before this code arrives, and works without it; only the
 * response to the latest text is shown.
 */
export function SuggestionList({ box, pathOf }: SuggestionListProps) {
  const id = useId();
  const [shown, setShown] = useState<Shown | null>(null);
  const [latest] = useState(createLatestRequest);
  const pending = useRef({ timer: 0, abort: new AbortController() });
  const isNew = useRef(true);
  const { backendUrl } = useSiteSettings();
  const count = shown?.suggestions.length ?? 0;
  const optionId = (index: number) => `${id}-${index}`;

  function close(): void {
    window.clearTimeout(pending.current.timer);
    pending.current.abort.abort();
    latest.cancel();
    setShown(null);
  }

  function requestSuggestions(): void {
    const typed = box.current?.value.trim() ?? "";
    const path = suggestionsPath(typed);
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
      if (outcome) setShown("result" in outcome ? { typed, suggestions: outcome.result, active: -1 } : null);
    }, PAUSE_MS);
    pending.current = { timer, abort };
  }

  function move(step: 1 | -1): void {
    if (!shown || count === 0) {
      requestSuggestions();
      return;
    }
    // The link to all results is one of the positions, and between the last and the first, the typed text itself.
    const positions = count + 2;
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

  const optionAt = (index: number) => ({
    id: optionId(index),
    isActive: index === shown?.active,
    onPick: pick,
  });

  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={count === 0}
        className="absolute inset-x-0 top-full z-40 mt-1 max-h-[min(28rem,60dvh)] overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-surface pt-1 shadow-float max-sm:max-h-[40dvh]"
      >
        {shown?.suggestions.map(({ text, note, to, price, cover }, index) => (
          <Option key={to} to={to} {...optionAt(index)}>
            {cover && (
              <BookCover
                book={{ title: text, publisher: note || null, ...cover }}
                backendUrl={backendUrl}
                sizes="40px"
                className="w-10 shrink-0"
              />
            )}
            <span className="min-w-0 grow">
              <span className="line-clamp-4 wrap-anywhere">{text}</span>
              <span className="flex flex-wrap justify-between gap-x-3 text-13 text-muted">
                <span>{note}</span>
                {price !== undefined && <span className="figures text-ink">{formatCedis(price)}</span>}
              </span>
            </span>
          </Option>
        ))}
        {shown && count > 0 && (
          <Option to={pathOf(shown.typed)} isPinned {...optionAt(count)}>
            <span className="min-w-0 font-semibold wrap-anywhere text-green">
              {`All results for “${shown.typed}”`}
            </span>
          </Option>
        )}
      </div>
      <p role="status" className="sr-only">
        {shown && (count > 0 ? countOf(count, "suggestion") : "No suggestions")}
      </p>
    </>
  );
}

type OptionProps = {
  id: string;
  to: string;
  isActive: boolean;
  /** Whether it stays at the bottom of the list while the others scroll. */
  isPinned?: boolean;
  onPick: () => void;
  children: ReactNode;
};

function Option({ id, to, isActive, isPinned = false, onPick, children }: OptionProps) {
  return (
    <Link
      to={to}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // Keeps the focus in the box, so that the list stays open until the click is handled.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={`flex min-h-11 items-center gap-3 px-4 py-1.5 text-15 no-underline hover:bg-tint aria-selected:bg-tint aria-selected:text-green ${isPinned ? "sticky bottom-0 border-t border-line bg-surface" : "scroll-mb-12"}`}
    >
      {children}
    </Link>
  );
}
