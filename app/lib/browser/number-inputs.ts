/**
 * Keeps the mouse wheel from changing a number: browsers step the focused input under the pointer, where a person means
 * to scroll the page.
 */
export function keepNumbersFromTheWheel(): void {
  document.addEventListener(
    "wheel",
    ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "number") target.blur();
    },
    { passive: true, capture: true },
  );
}
