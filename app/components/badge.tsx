import type { ReactNode } from "react";

export type BadgeVariant = "default" | "secondary" | "outline" | "destructive" | "warning";

const variants: Record<BadgeVariant, string> = {
  default: "bg-green text-white",
  secondary: "bg-tint text-green-deep",
  outline: "border border-line-strong text-ink",
  destructive: "bg-clay text-white",
  warning: "bg-gold-tint text-gold-ink",
};

export function Badge({ variant = "default", children }: { variant?: BadgeVariant; children: ReactNode }) {
  return (
    <span
      className={`figures inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-13 font-semibold whitespace-nowrap ${variants[variant]}`}
    >
      {children}
    </span>
  );
}
