import { type RefObject, useEffect } from "react";

/**
 * Redirects typing to a field unless the focus is in another field or a dialog: a scanner's first digit moves the
 * focus there, so that its Enter never clicks the last button.
 */
export function useTypingAnywhere(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { target, key } = event;
      if (key.length !== 1 || key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        target instanceof Element &&
        target.closest("input, textarea, select, [role=dialog], [role=alertdialog]")
      )
        return;
      input.current?.focus();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [input]);
}
