import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { DateField } from "#app/components/date-field.tsx";
import { InputField, SelectField } from "#app/components/field.tsx";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { paymentMethods } from "#shared/owner/payment-terms.ts";
import { cedisFromPesewas, formatCedis, type Pesewas } from "#shared/text/money.ts";
import { type PaymentToRecord, recordPayment } from "./payment.admin-queries.ts";
import { ENDS_DOWNLOADS } from "./payment-action.tsx";
import { findErrors, type PaymentForm, readAmount } from "./payment-form.ts";

const { paystack: _, ...byHand } = paymentMethods;
/** Ghana is on UTC all year. */
const today = () => new Date().toISOString().slice(0, 10);
const isMoreThanDue = (error: unknown) => isBackendFailure(error) && error.code === "more_than_due";

type RecordPaymentProps = {
  orderId: string;
  start: { kind: "payment" | "refund"; amount: Pesewas; method: string };
  due: Pesewas;
  endsDownloads: boolean;
  onDone: () => void;
};

const inField = (amount: Pesewas) => (amount > 0 ? cedisFromPesewas(amount).toFixed(2) : "");

/** The name under which the text of an order's payment is kept. */
export const keptPayment = (orderId: string) => `payment ${orderId}`;

/** Records money received or refunded for an order outside Paystack. */
export function RecordPayment({ orderId, start, due, endsDownloads, onDone }: RecordPaymentProps) {
  const refunds = useDuty("refunds");
  const [tooMuch, setTooMuch] = useState<PaymentToRecord | null>(null);
  const record = useAdminMutation({
    run: async (client, payment: PaymentToRecord) => {
      try {
        await recordPayment(client, payment);
        return "recorded";
      } catch (error) {
        if (isMoreThanDue(error)) return "more than due";
        throw error;
      }
    },
    success: (outcome, { kind }) =>
      outcome === "recorded" ? { title: kind === "refund" ? "Refund recorded" : "Payment recorded" } : null,
    failure: "Failed to record it",
    onError: (error) => {
      kept.onRefused(error);
    },
    reasonOf: staffMessage,
    onSuccess: (outcome, payment) => (outcome === "recorded" ? close() : setTooMuch(payment)),
  });
  function close(): void {
    kept.forget();
    onDone();
  }

  const { values, dirty, field, formProps, kept } = useKeptForm<PaymentForm>({
    kept: keptPayment(orderId),
    adds: true,
    fields: {
      ...start,
      amount: inField(start.amount),
      paidOn: today(),
      reference: "",
      note: "",
    },
    rules: findErrors,
    send(payment, { attempt }) {
      const read = readAmount(payment.amount);
      if ("amount" in read)
        record.mutate({ ...payment, id: attempt, orderId, amount: read.amount, moreThanDue: false });
    },
  });

  return (
    <form
      {...formProps}
      aria-label={values.kind === "refund" ? "Record a refund" : "Record a payment"}
      data-unsaved={dirty || undefined}
      className="mt-3 grid gap-4 sm:grid-cols-2"
    >
      <KeptNote kept={kept} className="sm:col-span-2" />
      <SelectField label="What happened" {...field("kind")}>
        <option value="payment">Money received</option>
        {refunds && <option value="refund">Money refunded</option>}
      </SelectField>
      <SelectField label="Method" {...field("method")}>
        {Object.entries(byHand).map(([method, name]) => (
          <option key={method} value={method}>
            {name}
          </option>
        ))}
      </SelectField>
      <InputField label="Amount, GH₵" inputMode="decimal" autoComplete="off" {...field("amount")} />
      <DateField label="Day" max={today()} {...field("paidOn")} />
      <InputField
        label={values.method === "mobile_money" ? "Transaction ID" : "Transaction ID (optional)"}
        autoComplete="off"
        maxLength={100}
        {...field("reference")}
      />
      <InputField
        label="Note (optional)"
        hint="The customer can read it"
        autoComplete="off"
        maxLength={500}
        {...field("note")}
      />
      {values.kind === "refund" && endsDownloads && (
        <p className="font-semibold sm:col-span-2">{ENDS_DOWNLOADS}</p>
      )}
      <p className="text-muted sm:col-span-2">
        The customer gets an email about it, if the order has an address.
      </p>
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" busy={record.isPending}>
          Record
        </Button>
        <Button variant="secondary" onClick={close}>
          Cancel
        </Button>
      </div>
      <ConfirmDialog
        open={tooMuch !== null}
        question="Record more than is due?"
        confirmLabel="Record it"
        variant="primary"
        onConfirm={() => tooMuch && record.mutate({ ...tooMuch, moreThanDue: true })}
        onClose={() => setTooMuch(null)}
      >
        <p>
          {formatCedis(due)} is due, and this is {tooMuch && formatCedis(tooMuch.amount)}. You will have to
          refund the difference.
        </p>
      </ConfirmDialog>
    </form>
  );
}
