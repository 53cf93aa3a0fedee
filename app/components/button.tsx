import type { ButtonHTMLAttributes, Ref } from "react";

type Variant = "primary" | "secondary" | "quiet" | "quietDanger" | "danger" | "gold" | "onDark";
type Size = "medium" | "small" | "large";

const variants: Record<Variant, string> = {
  primary:
    "bg-green text-white hover:bg-green-deep active:bg-ink disabled:bg-line disabled:text-muted aria-disabled:bg-line aria-disabled:text-muted",
  secondary:
    "border border-line-strong bg-surface text-ink hover:border-green hover:text-green active:bg-tint disabled:border-line disabled:text-muted disabled:hover:text-muted",
  quiet: "text-green hover:bg-tint active:bg-line disabled:text-muted disabled:hover:bg-transparent",
  quietDanger:
    "text-clay hover:bg-clay-tint active:bg-line disabled:text-muted disabled:hover:bg-transparent",
  danger: "bg-clay text-white hover:bg-[#84301a] active:bg-ink disabled:bg-line disabled:text-muted",
  onDark: "border border-white/60 text-white hover:border-white hover:bg-green-deep active:bg-ink",
  gold: "bg-gold text-ink hover:bg-[#f0bb4c] active:bg-gold-tint",
};

const sizes: Record<Size, string> = {
  small: "min-h-11 px-3 text-15 sm:min-h-9",
  medium: "min-h-11 px-4 text-15",
  large: "min-h-12 px-6 text-17",
};

/** The class names of a button, also for links that look like one. */
export function buttonClass({
  variant = "primary",
  size = "medium",
  className = "",
}: {
  variant?: Variant;
  size?: Size;
  className?: string;
} = {}): string {
  return `button ${variants[variant]} ${sizes[size]} ${className}`;
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant;
  size?: Size;
  /** Shows that its action is running; the button stays focusable and ignores clicks. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({
  variant,
  size,
  busy = false,
  className = "",
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ variant, size, className })}
      {...rest}
    />
  );
}
