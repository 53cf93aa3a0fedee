import { useId } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField, SelectField } from "#app/components/field.tsx";
import type { FormPart } from "#app/components/use-form.ts";
import {
  conversionOf,
  listConversions,
  type RememberedConversion,
} from "#app/office/catalogue/book-import/import-conversions.queries.ts";
import type { ListCurrencies, PriceExample } from "#app/office/catalogue/book-import/list-prices.ts";
import {
  conversionWords,
  convertPrice,
  formatListed,
  type PriceConversion,
  ROUNDINGS,
  readRate,
} from "#app/office/catalogue/book-import/price-conversion.ts";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { currencyCodes, currencyName, currencySign } from "#shared/text/currencies.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type TypedMoney, typedConversion } from "./typed-money.ts";

type ForeignPricesProps = {
  form: FormPart<TypedMoney>;
  list: ListCurrencies;
  base: string | null;
  /** What was typed, as far as it is right. */
  conversion: PriceConversion | null;
  disabled: boolean;
};

/** In which currencies a list's prices are, and how those that are not in cedis become cedis. */
export function ForeignPrices({ form, list, base, conversion, disabled }: ForeignPricesProps) {
  const foreign = [...list.foreign(base ?? "")].filter(([code]) => code !== "");
  if (!list.hasUnnamed && foreign.length === 0) return null;
  return (
    <section aria-labelledby="money" className="max-w-3xl">
      <h2 id="money" className="text-20">
        Money
      </h2>
      {list.hasUnnamed && (
        <SelectField
          label="Prices without a currency are in"
          className="mt-2 max-w-sm"
          {...form.field("currency")}
          value={base ?? ""}
          disabled={disabled}
        >
          {base === null && <option value="">Choose…</option>}
          {[...new Set([...currencyCodes, base ?? currencyCodes[0] ?? ""])].map((code) => (
            <option key={code} value={code}>
              {currencyName(code)}
            </option>
          ))}
        </SelectField>
      )}
      {foreign.length > 0 && (
        <>
          <p className="mt-3">
            {foreign.map(([code, count]) => `${countOf(count, "price")} in ${currencyName(code)}`).join(", ")}
            . Say what they become in the shop.
          </p>
          <div className="mt-3 grid gap-4 @2xl:grid-cols-3">
            <ConversionFields form={form} codes={foreign.map(([code]) => code)} disabled={disabled} />
          </div>
          <Source form={form} disabled={disabled} />
          <Examples examples={list.examples(base ?? "")} conversion={conversion} />
        </>
      )}
    </section>
  );
}

/** What each currency costs, what is added, and to what prices are rounded. */
export function ConversionFields({
  form,
  codes,
  disabled,
}: Pick<ForeignPricesProps, "form" | "disabled"> & { codes: readonly string[] }) {
  const field = (name: "percent" | "roundTo") => ({ ...form.field(name), disabled });
  const missing = codes.find((code) => readRate(form.values.rates[code] ?? "") === null);
  return (
    <>
      {codes.map((code) => (
        <RateField
          key={code}
          form={form}
          code={code}
          // A form focuses the one control of an invalid field's name.
          name={code === missing ? "rates" : undefined}
          disabled={disabled}
        />
      ))}
      <InputField
        label="Add in percent"
        hint="For freight, duty and profit. May stay empty."
        inputMode="decimal"
        autoComplete="off"
        {...field("percent")}
      />
      <SelectField label="Round to (GH₵)" {...field("roundTo")}>
        {ROUNDINGS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </SelectField>
    </>
  );
}

function RateField({
  form: { values, change, field },
  code,
  name,
  disabled,
}: Pick<ForeignPricesProps, "form" | "disabled"> & { code: string; name: string | undefined }) {
  const { error } = field("rates");
  const typed = values.rates[code] ?? "";
  return (
    <InputField
      name={name}
      label={`${currencySign(code)}1 costs (GH₵)`}
      hint="Today's rate."
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      disabled={disabled}
      error={readRate(typed) === null ? error : null}
      onChange={({ target }) => change("rates", { ...values.rates, [code]: target.value })}
    />
  );
}

/** By whose name the rates are remembered, and what was used for it last. */
function Source({ form, disabled }: Pick<ForeignPricesProps, "form" | "disabled">) {
  const known = useAdminQuery(["book-import", "conversions"], listConversions).data ?? [];
  const listId = useId();
  const last = conversionOf(known, form.values.source);
  return (
    <>
      <InputField
        label="Supplier or list"
        hint="The rate is remembered under this name and proposed the next time."
        className="mt-4 max-w-sm"
        autoComplete="off"
        list={listId}
        {...form.field("source")}
        disabled={disabled}
      />
      <datalist id={listId}>
        {known.map(({ source }) => (
          <option key={source} value={source} />
        ))}
      </datalist>
      {last && !disabled && <LastUsed last={last} form={form} />}
    </>
  );
}

function LastUsed({ last, form }: { last: RememberedConversion; form: ForeignPricesProps["form"] }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>
        On {formatDay(last.appliedAt)} it was {conversionWords(last.conversion)}.
      </p>
      <Button
        variant="secondary"
        onClick={() => {
          const typed = typedConversion(last.conversion);
          form.change("percent", typed.percent);
          form.change("roundTo", typed.roundTo);
          form.change("rates", typed.rates);
        }}
      >
        Use these
      </Button>
    </div>
  );
}

type ExamplesProps = { examples: readonly PriceExample[]; conversion: PriceConversion | null };

export function Examples({ examples, conversion }: ExamplesProps) {
  return (
    <>
      <h3 className="mt-4 font-semibold">The first {countOf(examples.length, "price")}</h3>
      <ul aria-label="Prices in the file and in the shop" className="mt-1 border-t border-line">
        {examples.map((example) => {
          const price = conversion && convertPrice(example, conversion);
          return (
            <li
              key={example.line}
              className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2"
            >
              <span className="min-w-0 wrap-anywhere">{example.title || `Line ${example.line}`}</span>
              <span className="figures ml-auto whitespace-nowrap">
                <span className="text-muted">{formatListed(example)}</span>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> becomes </span>
                <strong className="font-semibold">{price === null ? "–" : formatCedis(price)}</strong>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
