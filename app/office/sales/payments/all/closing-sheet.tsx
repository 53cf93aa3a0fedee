import { useState } from "react";
import { useSearchParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { changedParams } from "#app/lib/react/list-state.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { dayOf, isDay } from "#app/office/frame/periods/period.ts";
import { DayField } from "#app/office/frame/periods/period-choice.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { type PaymentMethod, paymentMethods } from "#shared/owner/payment-terms.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay, formatMinute } from "#shared/text/dates.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import { type Closing, closeDay, type DayToClose, listClosings } from "./all-payments.admin-queries.ts";

/** A day's takings by method, compared with what was counted. */
export function ClosingSheet() {
  const [params, setParams] = useSearchParams();
  const today = dayOf(new Date());
  const requested = params.get("day") ?? "";
  const day = isDay(requested) && requested <= today ? requested : today;
  const closings = useAdminQuery(["payments", "closings", day], (client) => listClosings(client, day), {
    refreshing: true,
  });
  const failure = readFailure("takings", closings);
  return (
    <>
      <div className="mb-4 print:hidden">
        <DayField
          label="Day"
          day={day}
          onChange={(chosen) => setParams(changedParams(params, { day: chosen }))}
        />
      </div>
      <h2 className="mb-3 text-20">
        <span className="hidden print:inline">Closing of </span>
        {formatDay(day)}
      </h2>
      {failure && <RetryNote {...failure} />}
      {!failure && !closings.data && <Skeleton className="h-96" />}
      <div className="grid gap-4 @3xl:grid-cols-2 print:grid-cols-1">
        {closings.data?.map((closing) => (
          <MethodClosing key={`${day} ${closing.method}`} day={day} closing={closing} />
        ))}
      </div>
      {closings.data && <Totals closings={closings.data} />}
    </>
  );
}

/** All methods together, and where those who counted sign on paper. */
function Totals({ closings }: { closings: readonly Closing[] }) {
  const sum = (amounts: Pesewas[]) => amounts.reduce((total, amount) => total + amount, 0) as Pesewas;
  const closed = closings.flatMap((one) => one.closed ?? []);
  const [counted, expected] = [sum(closed.map((one) => one.counted)), sum(closed.map((one) => one.expected))];
  return (
    <section aria-label="All methods" className="mt-6 border-t border-line pt-4">
      <dl className="figures grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 font-semibold">
        <Fact label="Total taken" value={formatCedis(sum(closings.map((one) => one.expected)))} />
        {closed.length > 0 && (
          <>
            <Fact
              label="Counted"
              value={`${formatCedis(counted)}${closed.length < closings.length ? `, ${closed.length} of ${countOf(closings.length, "method")}` : ""}`}
            />
            <Fact label="Difference" value={difference(counted, expected)} />
          </>
        )}
      </dl>
      <div className="mt-16 hidden grid-cols-2 gap-12 print:grid">
        {["Counted by", "Checked by"].map((who) => (
          <p key={who} className="border-t border-ink pt-1 text-13">
            {who}
          </p>
        ))}
      </div>
    </section>
  );
}

/** 'GH₵2.00 short', 'GH₵2.00 over' or 'Agrees' */
function difference(counted: Pesewas, expected: Pesewas): string {
  if (counted === expected) return "Agrees";
  const amount = formatCedis(Math.abs(counted - expected) as Pesewas);
  return `${amount} ${counted < expected ? "short" : "over"}`;
}

function MethodClosing({ day, closing }: { day: string; closing: Closing }) {
  const { method, expected, payments, closed } = closing;
  const [again, setAgain] = useState(false);
  const isOpen = closed === null || again;
  return (
    <Panel title={paymentMethods[method as PaymentMethod] ?? method}>
      <dl className="figures grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <Fact label="Taken" value={`${formatCedis(expected)} in ${countOf(payments, "payment")}`} />
        {closed && (
          <>
            <Fact label="Counted" value={formatCedis(closed.counted)} />
            <Fact label="Difference" value={difference(closed.counted, closed.expected)} />
            {closed.expected !== expected && (
              <Fact
                label="Since then"
                value={`Payments of ${formatCedis((expected - closed.expected) as Pesewas)} were recorded after closing`}
              />
            )}
            {closed.note && <Fact label="Note" value={closed.note} />}
            <Fact label="Closed" value={[formatMinute(closed.at), closed.by].filter(Boolean).join(" by ")} />
          </>
        )}
      </dl>
      {isOpen ? (
        <CloseForm
          key={expected}
          day={day}
          closing={closing}
          onDone={() => setAgain(false)}
          onCancel={closed ? () => setAgain(false) : null}
        />
      ) : (
        <Button variant="secondary" className="mt-3 print:hidden" onClick={() => setAgain(true)}>
          Count Again
        </Button>
      )}
    </Panel>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="m-0 wrap-anywhere">{value}</dd>
    </>
  );
}

type CloseFormProps = { day: string; closing: Closing; onDone: () => void; onCancel: (() => void) | null };

function CloseForm({ day, closing: { method, expected }, onDone, onCancel }: CloseFormProps) {
  const close = useAdminMutation({
    run: (client, values: DayToClose) => closeDay(client, values),
    success: () => ({ title: `${paymentMethods[method as PaymentMethod]} closed for ${formatDay(day)}` }),
    failure: "Failed to close the day",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      kept.forget();
      onDone();
    },
  });
  const { values, dirty, field, formProps, kept } = useKeptForm({
    kept: `closing ${day} ${method}`,
    fields: { counted: "", note: "" },
    rules: ({ counted }) => ({
      counted:
        typeof readPrice(counted) === "number" ? null : "Enter the amount you counted, such as 1250.50",
    }),
    send: ({ counted, note }, { attempt }) =>
      close.mutate({ id: attempt, day, method, expected, counted: readPrice(counted) as Pesewas, note }),
  });
  const counted = readPrice(values.counted);
  return (
    <form
      {...formProps}
      aria-label={`Close ${paymentMethods[method as PaymentMethod]}`}
      data-unsaved={dirty || undefined}
      className="mt-3 grid gap-3 @lg:grid-cols-2 print:hidden"
    >
      <KeptNote kept={kept} className="@lg:col-span-2" />
      <InputField
        label="Counted (GH₵)"
        inputMode="decimal"
        autoComplete="off"
        hint={typeof counted === "number" ? difference(counted, expected) : undefined}
        {...field("counted")}
      />
      <InputField label="Note (optional)" autoComplete="off" maxLength={500} {...field("note")} />
      <div className="flex gap-3">
        <Button type="submit" busy={close.isPending}>
          Close the Day
        </Button>
        {onCancel && (
          <Button
            variant="secondary"
            onClick={() => {
              kept.forget();
              onCancel();
            }}
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
