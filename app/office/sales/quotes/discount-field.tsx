import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { readPercent } from "#shared/text/typed-price.ts";

/** Sets the unit price of every line to the shop's price less a percentage. */
export function DiscountField({ onApply }: { onApply: (percent: number) => void }) {
  const { field, formProps } = useForm({
    fields: { percent: "" },
    rules: ({ percent }) => ({
      percent: readPercent(percent) === null ? "Enter a number from 0 to 100" : null,
    }),
    send: ({ percent }) => onApply(readPercent(percent) ?? 0),
  });

  return (
    <form {...formProps} className="flex items-start gap-2">
      <InputField
        className="grow"
        label="Discount on all lines, %"
        inputMode="decimal"
        autoComplete="off"
        hint="Off the shop's prices"
        {...field("percent")}
      />
      <Button type="submit" variant="secondary" className="mt-7.5 shrink-0 whitespace-nowrap">
        Apply
      </Button>
    </form>
  );
}
