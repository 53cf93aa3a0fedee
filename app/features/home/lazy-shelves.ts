/** Any first interaction with a page, by whatever device; `popstate` is the browser's Back and Forward. */
const FIRST_INTERACTIONS = [
  "pointermove",
  "pointerdown",
  "keydown",
  "focusin",
  "scroll",
  "touchstart",
  "popstate",
];

/** Waits for the first interaction: code for content far below the fold need not be fetched earlier. */
export function firstInteraction(): Promise<void> {
  if (typeof document === "undefined" || !document.querySelector("[data-late]")) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const type of FIRST_INTERACTIONS) window.removeEventListener(type, done, true);
      resolve();
    };
    for (const type of FIRST_INTERACTIONS)
      window.addEventListener(type, done, { capture: true, passive: true });
  });
}
