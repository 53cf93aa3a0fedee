import { SelectField } from "#app/components/field.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import {
  CHOSEN_METHODS,
  type DeliveryMethod,
  deliveryMethodNames,
  feesNameRegions,
  isSent,
  REGIONS,
} from "#shared/orders/delivery.ts";

type QuoteDeliveryFieldsProps = {
  method: DeliveryMethod;
  region: string;
  /** Whether the delivery fee depends on the region; by default, whether the shop's fees by this method do. */
  isRegionRequired?: boolean;
  regionHint?: string;
  regionError?: string | null;
  onMethod: (method: DeliveryMethod) => void;
  onRegion: (region: string) => void;
};

/** How and to which region a quote is delivered, which is all that its delivery fee depends on. */
export function QuoteDeliveryFields({
  method,
  region,
  isRegionRequired = feesNameRegions(currentShop().deliveryFees, method),
  regionHint,
  regionError,
  onMethod,
  onRegion,
}: QuoteDeliveryFieldsProps) {
  return (
    <>
      <SelectField
        label="Delivery"
        name="delivery_method"
        value={method}
        onChange={({ target }) =>
          onMethod(CHOSEN_METHODS.find((chosen) => chosen === target.value) ?? "deliver")
        }
      >
        {CHOSEN_METHODS.map((chosen) => (
          <option key={chosen} value={chosen}>
            {deliveryMethodNames[chosen]}
          </option>
        ))}
      </SelectField>
      {isSent(method) && (
        <SelectField
          name="region"
          label={isRegionRequired ? "Region" : "Region (optional)"}
          required={isRegionRequired}
          hint={regionHint}
          error={regionError}
          value={region}
          onChange={({ target }) => onRegion(target.value)}
        >
          <option value="">Choose a region</option>
          {REGIONS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      )}
    </>
  );
}
