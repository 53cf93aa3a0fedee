import type { ReactNode } from "react";

/**
 * Small drawings for empty states. They are decoration: the text beside them carries the meaning. They use the colour
 * tokens, and the text colour for outlines.
 */
export function Drawing({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 200 130"
      className={className ?? "h-32 w-auto"}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        stroke="none"
        fill="var(--color-tint)"
        d="M20 112V92h20V72h20V52h20V32h40v20h20v20h20v20h20v20z"
      />
      {children}
      <path d="M8 112h184" />
    </svg>
  );
}

export const gold = "var(--color-gold)";
export const green = "var(--color-green)";
export const paper = "var(--color-surface)";
export const clay = "var(--color-clay)";

export interface DrawingProps {
  /** Size, as class names; 8rem high by default. */
  className?: string;
}
