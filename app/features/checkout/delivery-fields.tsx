import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { DELIVERY_METHODS, deliveryLengths, deliveryMethodNames, REGIONS } from "#app/lib/delivery.ts";
import { typedDigitalAddress } from "#app/lib/digital-address.ts";
import type { DeliveryForm } from "./delivery-form.ts";

type DeliveryFieldsProps = {
  form: DeliveryForm;
  problem: { field: string; message: string } | null;
  onChange: (form: DeliveryForm) => void;
  /** Whether to ask for a note, which is about one order. */
  withNote?: boolean;
  /** Whether staff fill in the form for a customer. */
  forStaff?: boolean;
};

const wordings = {
  customer: {
    question: "How would you like to receive your order?",
    station: "The company and the station where you'll pick up the parcel.",
  },
  staff: {
    question: "How the customer receives the order",
    station: "The company and the station where the customer picks up the parcel.",
  },
} as const;

/** How and where the order is received; all of it is optional. */
export function DeliveryFields({
  form,
  problem,
  onChange,
  withNote = true,
  forStaff = false,
}: DeliveryFieldsProps) {
  const words = wordings[forStaff ? "staff" : "customer"];
  const field = <Name extends keyof DeliveryForm>(name: Name) => ({
    name,
    value: form[name],
    error: problem?.field === name ? problem.message : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...form, [name]: target.value }),
  });
  const travels = form.delivery_method !== "collect";
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <fieldset className="sm:col-span-2">
        <legend className="mb-1 text-15 font-semibold">{words.question}</legend>
        <div className="flex flex-col gap-x-6 sm:flex-row sm:flex-wrap">
          {DELIVERY_METHODS.map((method) => (
            <label key={method} className="flex min-h-11 cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="delivery_method"
                value={method}
                className="size-5 accent-green"
                checked={form.delivery_method === method}
                onChange={() => onChange({ ...form, delivery_method: method })}
              />
              {deliveryMethodNames[method]}
            </label>
          ))}
        </div>
      </fieldset>
      {form.delivery_method === "bus_station" && (
        <InputField
          className="sm:col-span-2"
          label="Bus parcel station"
          autoComplete="off"
          required
          maxLength={deliveryLengths.bus_station}
          hint={words.station}
          {...field("bus_station")}
        />
      )}
      {travels && (
        <>
          <SelectField label="Region (optional)" autoComplete="shipping address-level1" {...field("region")}>
            <option value="">Choose a region</option>
            {REGIONS.map((region) => (
              <option key={region}>{region}</option>
            ))}
          </SelectField>
          <InputField
            label="Digital address (optional)"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            hint={
              <>
                From GhanaPostGPS, such as <span className="whitespace-nowrap">GA-183-8164</span>.
              </>
            }
            {...field("digital_address")}
            onChange={({ target }) =>
              onChange({ ...form, digital_address: typedDigitalAddress(target.value) })
            }
          />
          <InputField
            className="sm:col-span-2"
            label="Landmark (optional)"
            autoComplete="off"
            maxLength={deliveryLengths.landmark}
            hint="A place nearby that the driver will know."
            {...field("landmark")}
          />
        </>
      )}
      {withNote && (
        <TextareaField
          className="sm:col-span-2"
          label="Delivery note (optional)"
          rows={2}
          maxLength={deliveryLengths.delivery_note}
          {...field("delivery_note")}
        />
      )}
    </div>
  );
}
