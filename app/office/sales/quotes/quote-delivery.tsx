import { InputField, SelectField } from "#app/components/field.tsx";
import { QuoteDeliveryFields } from "#app/features/quotes/quote-delivery-fields.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { feesNameRegions, isSent } from "#shared/orders/delivery.ts";
import { DELIVERY_PRICINGS, type DeliveryPricing } from "#shared/orders/quote-delivery.ts";
import type { TypedQuote } from "./quote-form.ts";

const pricingNames: Readonly<Record<DeliveryPricing, string>> = {
  fees: "By the delivery fees",
  agreed: "An agreed amount",
  included: "Included in the prices",
};

/** Why the region is asked for. */
function regionHint(pricing: DeliveryPricing, isRequired: boolean): string {
  if (isRequired) return "The delivery fee depends on the region";
  if (pricing === "agreed") return "Leave it empty to charge the agreed fee in every region";
  return pricing === "included"
    ? "The prices include delivery to every region"
    : "The delivery fee is the same in every region";
}

type QuoteDeliveryProps = {
  typed: TypedQuote;
  /** Whether the delivery fees depend on a region that is not chosen. */
  needsRegion: boolean;
  failure: { message: string; onTryAgain: () => void } | null;
  onChange: (changes: Partial<TypedQuote>) => void;
};

/** How and where a quote is delivered, and how that is charged. */
export function QuoteDelivery({ typed, needsRegion, failure, onChange }: QuoteDeliveryProps) {
  const { method, region, pricing } = typed;
  // The fees may depend on it only since this page was opened.
  const isRegionRequired =
    pricing === "fees" && (needsRegion || feesNameRegions(currentShop().deliveryFees, method));
  return (
    <div>
      <div className="grid items-start gap-x-6 gap-y-4 @xl:grid-cols-2 @4xl:grid-cols-[1.3fr_1fr_1.1fr_1fr]">
        <QuoteDeliveryFields
          method={method}
          region={region}
          isRegionRequired={isRegionRequired}
          regionHint={regionHint(pricing, isRegionRequired)}
          regionError={needsRegion ? "Choose a region: the delivery fee depends on it" : null}
          onMethod={(chosen) => onChange({ method: chosen })}
          onRegion={(chosen) => onChange({ region: chosen })}
        />
        <SelectField
          label="Delivery fee"
          value={pricing}
          hint={
            pricing === "fees"
              ? "Fixed when you send the quote"
              : pricing === "included"
                ? "Wherever it's delivered"
                : `Only for this delivery method${isSent(method) && region ? " and region" : ""}`
          }
          onChange={({ target }) =>
            onChange({ pricing: DELIVERY_PRICINGS.find((one) => one === target.value) ?? "fees" })
          }
        >
          {DELIVERY_PRICINGS.map((one) => (
            <option key={one} value={one}>
              {pricingNames[one]}
            </option>
          ))}
        </SelectField>
        {pricing === "agreed" && (
          <InputField
            label="Agreed fee, in cedis"
            inputMode="decimal"
            autoComplete="off"
            value={typed.fee}
            onChange={({ target }) => onChange({ fee: target.value })}
          />
        )}
      </div>
      {pricing === "fees" && failure && <RetryNote {...failure} />}
    </div>
  );
}
