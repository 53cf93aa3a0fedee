import { type ReactNode, useId } from "react";

type CheckLineProps = {
  label: ReactNode;
  /** What ticking it means; the label is then its heading. */
  about?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A choice to tick. */
export function CheckLine({ label, about, checked, disabled, onChange }: CheckLineProps) {
  const id = useId();
  return (
    <div className="flex max-w-3xl items-start gap-2">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-5 shrink-0 accent-green"
        aria-describedby={about ? `${id}-about` : undefined}
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <div>
        <label htmlFor={id} className={about ? "font-semibold" : ""}>
          {label}
        </label>
        {about && (
          <p id={`${id}-about`} className="text-muted">
            {about}
          </p>
        )}
      </div>
    </div>
  );
}
