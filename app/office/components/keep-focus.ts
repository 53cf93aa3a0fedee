import { type FocusEvent, useEffect, useRef } from "react";

/** When the focused row is removed, the focus stays in the table instead of jumping to the top of the page. */
export function useKeepFocus(rows: unknown) {
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
      // No next element: the focused element was removed, the focus was not moved.
      if (event.relatedTarget) inside.current = false;
    },
  };
}
