import { useEffect, useId, useRef, useState } from "react";
import type { ListState } from "#app/lib/list-state.ts";
import { Icon } from "./icon.tsx";

/** Long enough to type a word, short enough to feel like an answer. */
const TYPING_MS = 250;

/** Searches a list while one types. The address follows, so that the search survives a reload. */
export function ListSearch({ label, state }: { label: string; state: Pick<ListState, "q" | "change"> }) {
  const id = useId();
  const [typed, setTyped] = useState(state.q);
  const sent = useRef(state.q);
  const { q, change } = state;

  useEffect(() => {
    // The address changed by other means than typing: a link, or the browser's Back.
    if (q === sent.current) return;
    sent.current = q;
    setTyped(q);
  }, [q]);

  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      change({ q: wanted }, "replace");
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, change]);

  return (
    <div className="relative min-w-0 grow sm:max-w-sm">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Icon
        name="search"
        size={18}
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
      />
      <input
        id={id}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={label}
        autoComplete="off"
        className="min-h-11 w-full rounded-control border border-line-strong bg-surface pr-3 pl-9 text-15 placeholder:text-muted hover:border-green"
      />
    </div>
  );
}
