/** The look of whatever takes text or a choice. Apart from the fields: a page may need no more than this. */
export const controlClass =
  "w-full min-h-11 rounded-control border border-line-strong bg-surface px-3 text-17 text-ink placeholder:text-muted hover:border-green aria-invalid:border-clay disabled:bg-paper disabled:text-muted";
