import { InputField, SelectField } from "#app/components/field.tsx";
import { QuoteDeliveryFields } from "#app/features/quotes/quote-delivery-fields.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { DELIVERY_PRICINGS, type DeliveryPricing } from "#shared/orders/quote-delivery.ts";
import type { TypedQuote } from "./quote-form.ts";

const pricingNames: Readonly<Record<DeliveryPricing, string>> = {
  fees: "By the delivery fees",
  agreed: "An agreed amount",
  included: "Included in the prices",
};

type QuoteDeliveryProps = {
  typed: TypedQuote;
  /** Whether the delivery fees depend on a region that is not chosen. */
  needsRegion: boolean;
  failure: { message: string; onTryAgain: () => void } | null;
  onChange: (changes: Partial<TypedQuote>) => void;
};

/** How and where a quote is delivered, and how that is charged. */
export function QuoteDelivery({ typed, needsRegion, failure, onChange }: QuoteDeliveryProps) {
  return (
    <div>
      <div className="grid items-start gap-x-6 gap-y-4 @xl:grid-cols-2 @4xl:grid-cols-[1.3fr_1fr_1.1fr_1fr]">
        <QuoteDeliveryFields
          method={typed.method}
          region={typed.region}
          regionError={needsRegion ? "The delivery fee depends on it" : null}
          onMethod={(method) => onChange({ method })}
          onRegion={(region) => onChange({ region })}
        />
        <SelectField
          label="Delivery fee"
          value={typed.pricing}
          hint={
            typed.pricing === "fees"
              ? "Fixed when you send the quote"
              : typed.pricing === "included"
                ? "Wherever it's delivered"
                : "Only for this delivery method and region"
          }
          onChange={({ target }) =>
            onChange({ pricing: DELIVERY_PRICINGS.find((pricing) => pricing === target.value) ?? "fees" })
          }
        >
          {DELIVERY_PRICINGS.map((pricing) => (
            <option key={pricing} value={pricing}>
              {pricingNames[pricing]}
            </option>
          ))}
        </SelectField>
        {typed.pricing === "agreed" && (
          <InputField
            label="Agreed fee, in cedis"
            inputMode="decimal"
            autoComplete="off"
            value={typed.fee}
            onChange={({ target }) => onChange({ fee: target.value })}
          />
        )}
      </div>
      {typed.pricing === "fees" && failure && <RetryNote {...failure} />}
    </div>
  );
}
