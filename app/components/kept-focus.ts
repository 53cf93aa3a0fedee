import { type FocusEvent, useEffect, useRef } from "react";

/** When the row that has the focus goes, the focus stays with the table instead of starting again at the page's top. */
export function useKeptFocus(rows: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const inside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what counts is that the rows have changed
  useEffect(() => {
    if (inside.current && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true });
  }, [rows]);
  return {
    ref: box,
    onFocus: () => {
      inside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      // Without a next element the focus was lost with its element, not moved.
      if (event.relatedTarget) inside.current = false;
    },
  };
}
