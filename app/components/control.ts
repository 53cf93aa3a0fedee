/** The look of inputs and selects. Apart from the fields, so that a page can use it without downloading them. */
export const controlClass =
  "w-full min-h-11 rounded-control border border-line-strong bg-surface px-3 text-17 text-ink placeholder:text-muted hover:border-green aria-invalid:border-clay disabled:bg-paper disabled:text-muted";
