import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { Icon } from "#app/components/icon.tsx";
import type { ListState } from "#app/lib/react/list-state.ts";

/** Long enough to type a word, short enough to feel instant. */
const DEBOUNCE_MS = 250;

/** Searches a list as you type, or at once with Enter. The search is in the URL, so it survives a reload. */
export function ListSearch({ label, state }: { label: string; state: Pick<ListState, "q" | "change"> }) {
  const id = useId();
  const [typed, setTyped] = useState(state.q);
  const [sent, setSent] = useState(state.q);
  const [shown, setShown] = useState(state.q);
  const { q, change } = state;

  if (q !== shown) {
    setShown(q);
    // The URL was changed by a link or by the browser's Back, not by typing.
    if (q !== sent) {
      setSent(q);
      setTyped(q);
    }
  }

  useEffect(() => {
    const requested = typed.trim();
    if (requested === sent) return;
    const timer = setTimeout(() => {
      setSent(requested);
      change({ q: requested }, "replace");
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, sent, change]);

  // A barcode scanner ends its input with Enter. Selected, it is replaced by the next scan.
  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) {
    if (key !== "Enter") return;
    currentTarget.select();
    const requested = typed.trim();
    if (requested === sent) return;
    setSent(requested);
    change({ q: requested }, "replace");
  }

  return (
    <div className="relative min-w-0 grow-2 basis-72 sm:max-w-sm">
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
        onKeyDown={onKeyDown}
        placeholder={label}
        autoComplete="off"
        className="min-h-11 w-full rounded-control border border-line-strong bg-surface pr-3 pl-9 text-15 placeholder:text-muted hover:border-green"
      />
    </div>
  );
}
