import type { SelectHTMLAttributes } from "react";

type CompactSelectProps = SelectHTMLAttributes<HTMLSelectElement> & { "aria-label": string };

/** A choice inside a row or above a list, where its neighbours say what it is about. */
export function CompactSelect({ className = "", children, ...select }: CompactSelectProps) {
  return (
    <select
      className={`min-h-11 rounded-control border border-line-strong bg-surface px-2.5 text-15 hover:border-green disabled:bg-paper disabled:text-muted @4xl:min-h-9 ${className}`}
      {...select}
    >
      {children}
    </select>
  );
}
