import type { SelectHTMLAttributes } from "react";

type CompactSelectProps = SelectHTMLAttributes<HTMLSelectElement> & { "aria-label": string };

/** A select inside a row or above a list, where the context makes a visible label unnecessary. */
export function CompactSelect({ className = "", children, ...select }: CompactSelectProps) {
  return (
    <select
      className={`min-h-11 max-w-full rounded-control border border-line-strong bg-surface px-2.5 text-15 hover:border-green disabled:bg-paper disabled:text-muted @4xl:min-h-9 ${className}`}
      {...select}
    >
      {children}
    </select>
  );
}
