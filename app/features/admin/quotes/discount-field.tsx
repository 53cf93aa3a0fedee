import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { readDecimal } from "#app/lib/typed-price.ts";

/** Sets the unit price of every line to the shop's price less a percentage. */
export function DiscountField({ onApply }: { onApply: (percent: number) => void }) {
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);

  function apply(event: FormEvent) {
    event.preventDefault();
    const percent = readDecimal(typed.replace("%", "").trim());
    if (typeof percent !== "number" || percent > 100) {
      setError("Enter a number from 0 to 100");
      return;
    }
    setError(null);
    onApply(percent);
  }

  return (
    <form noValidate onSubmit={apply} className="flex items-start gap-2">
      <InputField
        className="grow"
        label="Discount on all lines, %"
        inputMode="decimal"
        autoComplete="off"
        hint="Off the shop's prices"
        value={typed}
        error={error}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" variant="secondary" className="mt-7.5 shrink-0 whitespace-nowrap">
        Apply
      </Button>
    </form>
  );
}
