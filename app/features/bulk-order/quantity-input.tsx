import { useState } from "react";
import { controlClass } from "#app/components/control.ts";
import { MAX_QUANTITY, parseQuantity } from "#app/features/cart/cart.ts";

type QuantityInputProps = {
  /** Null for an empty field. */
  value: number | null;
  /** For the label: 'Quantity of {subject}'. */
  subject: string;
  onChange: (quantity: number) => void;
};

/** A quantity between 1 and 999 that is committed on Enter or on leaving the field; anything else is discarded. */
export function QuantityInput({ value, subject, onChange }: QuantityInputProps) {
  const [draft, setDraft] = useState<string | null>(null);

  function commit() {
    const typed = draft === null ? null : parseQuantity(draft);
    setDraft(null);
    if (typed !== null && typed >= 1 && typed <= MAX_QUANTITY && typed !== value) onChange(typed);
  }

  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="off"
      aria-label={`Quantity of ${subject}`}
      className={`${controlClass} figures w-16! px-1! text-center`}
      value={draft ?? value ?? ""}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}
