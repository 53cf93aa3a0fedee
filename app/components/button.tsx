import type { ButtonHTMLAttributes, Ref } from "react";

type Variant = "primary" | "secondary" | "quiet" | "quiet-danger" | "danger" | "gold" | "on-dark";
type Size = "medium" | "small" | "large";

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
  return `button button-${variant} button-${size} ${className}`;
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
