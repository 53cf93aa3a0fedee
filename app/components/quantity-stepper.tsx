import { type KeyboardEvent, useState } from "react";
import { Icon } from "./icon.tsx";

type QuantityStepperProps = {
  value: number;
  max: number;
  /** For the controls' labels: 'Quantity of {subject}'. */
  subject: string;
  /** Parses typed text; null when it is not a number, and the old value stays. */
  parse: (text: string) => number | null;
  onChange: (value: number) => void;
};

const stepClass =
  "grid size-11 place-items-center rounded-control text-green hover:bg-tint active:bg-line disabled:text-line-strong disabled:hover:bg-transparent";

/** A number between minus and plus that can also be typed: it is committed on Enter or on leaving the field. */
export function QuantityStepper({ value, max, subject, parse, onChange }: QuantityStepperProps) {
  const [draft, setDraft] = useState<string | null>(null);

  function commit() {
    const typed = draft === null ? null : parse(draft);
    setDraft(null);
    if (typed !== null && typed !== value) onChange(typed);
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === "Enter") commit();
    if (event.key === "ArrowUp" && value < max) onChange(value + 1);
    if (event.key === "ArrowDown" && value > 1) onChange(value - 1);
    if (event.key === "ArrowUp" || event.key === "ArrowDown") event.preventDefault();
    if (event.key === "Escape" && draft !== null) {
      // The first Escape discards what was typed; the next one closes the dialog.
      event.preventDefault();
      setDraft(null);
    }
  }

  return (
    <div className="inline-flex items-center rounded-control border border-line-strong bg-surface focus-within:border-green">
      <button
        type="button"
        className={stepClass}
        aria-label={`Decrease quantity of ${subject}`}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" size={18} />
      </button>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Quantity of ${subject}`}
        className="figures h-11 w-12 border-x border-line bg-transparent text-center text-15 font-semibold"
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={handleKey}
      />
      <button
        type="button"
        className={stepClass}
        aria-label={`Increase quantity of ${subject}`}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Icon name="plus" size={18} />
      </button>
    </div>
  );
}
