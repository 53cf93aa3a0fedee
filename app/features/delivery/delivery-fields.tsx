import type { ReactNode } from "react";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { Icon } from "#app/components/icon.tsx";
import type { FormPart } from "#app/components/use-form.ts";
import {
  CHOSEN_METHODS,
  type DeliveryFee,
  deliveryMethodNames,
  feesNameRegions,
  isSent,
  REGIONS,
} from "#shared/orders/delivery.ts";
import { orderTextLimits, plainTexts } from "#shared/orders/order-fields.ts";
import type { DeliveryForm } from "./delivery-form.ts";
import { DIGITAL_ADDRESS_MALFORMED, digitalAddress } from "./digital-address.ts";
import { useBlurredFields } from "./use-blurred-fields.ts";

type DeliveryFieldsProps = {
  form: FormPart<DeliveryForm>;
  /** The optional texts to show; all by default. */
  texts?: typeof plainTexts;
  /** The shop's delivery fees, for an order; it needs a region if they depend on it. */
  fees?: readonly DeliveryFee[];
  /** Whether staff fill in the form for a customer. */
  forStaff?: boolean;
  /** Whether optional fields are collapsed until they are opened. */
  foldsOptional?: boolean;
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

const grid = "grid gap-5 sm:grid-cols-2";

/** How and where the order is received. An invalid digital address is marked once its field loses focus. */
export function DeliveryFields({
  form: { values, change, field },
  texts = plainTexts,
  fees = [],
  forStaff = false,
  foldsOptional = false,
}: DeliveryFieldsProps) {
  const words = wordings[forStaff ? "staff" : "customer"];
  const { isBlurred, handlersOf } = useBlurredFields();
  const travels = isSent(values.delivery_method);
  const regionRequired = feesNameRegions(fees, values.delivery_method);
  const shownTexts = texts.filter((text) => travels || !text.travels);
  const digital = field("digital_address");
  const blurred = handlersOf("digital_address");
  const isMalformed = isBlurred("digital_address") && digitalAddress(values.digital_address) === null;

  const region = (
    <SelectField
      label={regionRequired ? "Region" : "Region (optional)"}
      autoComplete="shipping address-level1"
      required={regionRequired}
      {...field("region")}
    >
      <option value="">Choose a region</option>
      {REGIONS.map((region) => (
        <option key={region}>{region}</option>
      ))}
    </SelectField>
  );
  const optional = (
    <>
      {travels && (
        <>
          {!regionRequired && region}
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
            {...digital}
            {...blurred}
            onBlur={() => {
              blurred.onBlur();
              change("digital_address", digitalAddress(values.digital_address) ?? values.digital_address);
            }}
            error={digital.error ?? (isMalformed ? DIGITAL_ADDRESS_MALFORMED : null)}
            onChange={({ target }) => change("digital_address", target.value.toUpperCase())}
          />
        </>
      )}
      {shownTexts.map(({ name, kind, label, ownLabel, limit, hint }) => {
        const text = {
          className: "sm:col-span-2",
          label: `${(!forStaff && ownLabel) || label} (optional)`,
          maxLength: limit,
          hint,
          ...field(name),
        };
        return kind === "text" ? (
          <TextareaField key={name} rows={2} {...text} />
        ) : (
          <InputField key={name} autoComplete="off" {...text} />
        );
      })}
    </>
  );

  return (
    <div className={grid}>
      <fieldset className="sm:col-span-2">
        <legend className="mb-1 text-15 font-semibold">{words.question}</legend>
        <div className="flex flex-col gap-x-6 sm:flex-row sm:flex-wrap">
          {CHOSEN_METHODS.map((method) => (
            <label key={method} className="flex min-h-11 cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="delivery_method"
                value={method}
                className="size-5 accent-green"
                checked={values.delivery_method === method}
                onChange={() => change("delivery_method", method)}
              />
              {deliveryMethodNames[method]}
            </label>
          ))}
        </div>
      </fieldset>
      {values.delivery_method === "bus_station" && (
        <InputField
          className="sm:col-span-2"
          label="Bus parcel station"
          autoComplete="off"
          required
          maxLength={orderTextLimits.bus_station}
          hint={words.station}
          {...field("bus_station")}
        />
      )}
      {travels && regionRequired && region}
      {foldsOptional ? (
        <Folded values={values} texts={shownTexts} travels={travels} fields={optional} />
      ) : (
        optional
      )}
    </div>
  );
}

type FoldedProps = { values: DeliveryForm; texts: typeof plainTexts; travels: boolean; fields: ReactNode };

/** The optional fields, collapsed to one line that shows their values, such as the landmark of the last order. */
function Folded({ values, texts, travels, fields }: FoldedProps) {
  const locations = travels ? [values.region, values.digital_address] : [];
  const filled = [...locations, ...texts.map(({ name }) => values[name])].filter(Boolean);
  const subjects = [
    travels ? "Delivery details" : "Delivery note",
    ...texts.flatMap(({ ownLabel }) => ownLabel?.toLowerCase() ?? []),
  ];
  return (
    <details className="group border-y border-line sm:col-span-2">
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 py-2 text-15 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">
          <span className="font-semibold">{subjects.join(" and ")} (optional)</span>
          {filled.length > 0 && (
            <span className="block wrap-anywhere text-muted group-open:hidden">{filled.join(", ")}</span>
          )}
        </span>
        <Icon name="chevron-down" className="shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className={`${grid} pt-3 pb-5`}>{fields}</div>
    </details>
  );
}
