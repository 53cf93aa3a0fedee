import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { cedisFromPesewas, formatCedis, type Pesewas } from "#shared/text/money.ts";
import { correctPayment, decidePayment, refundPayment, type StaffPayment } from "./payment.admin-queries.ts";
import { readAmount } from "./payment-form.ts";

export type Action = "correct" | "refund" | "count" | "set_aside";

/** The texts of each action; `reason` is set if it needs a note. */
const texts: Readonly<
  Record<Action, { button: string; about: string; done: string; failed: string; reason: boolean }>
> = {
  correct: {
    button: "Correct",
    about:
      "This adds a row of the opposite amount, which cancels this one out. Then record the correct payment.",
    done: "Payment corrected",
    failed: "Failed to correct the payment",
    reason: true,
  },
  refund: {
    button: "Refund",
    about:
      "Paystack sends the money back to where it came from, which can take a few days. Then the customer gets an email.",
    done: "The refund will be sent to Paystack",
    failed: "Failed to request the refund",
    reason: false,
  },
  count: {
    button: "Count it",
    about:
      "The amount received will count as paid for this order, and the customer gets an email. To refund it, count it first.",
    done: "Payment counted",
    failed: "Failed to count the payment",
    reason: false,
  },
  set_aside: {
    button: "Set aside",
    about: "The payment won't count towards this order. Say what happened to the money.",
    done: "Payment set aside",
    failed: "Failed to set the payment aside",
    reason: true,
  },
};

export const ENDS_DOWNLOADS =
  "The customer can't download this order's digital titles any more, or see their codes, unless it is paid again.";

/** The actions available for a payment, with or without the duty Refunds. */
export function actionsFor(
  { state, correctable, refundable, received_currency }: StaffPayment,
  mayRefund: boolean,
): Action[] {
  if (state === "needs_decision") return received_currency === "GHS" ? ["count", "set_aside"] : ["set_aside"];
  return [
    ...(correctable ? ["correct" as const] : []),
    ...(mayRefund && refundable > 0 ? ["refund" as const] : []),
  ];
}

export const actionName = (action: Action) => texts[action].button;

type PaymentActionProps = {
  payment: StaffPayment;
  action: Action;
  endsDownloads: boolean;
  onDone: () => void;
};

/** Asks for an action's details and runs it. */
export function PaymentAction({ payment, action, endsDownloads, onDone }: PaymentActionProps) {
  const { button, about, done, failed, reason } = texts[action];
  const act = useAdminMutation({
    run: (client, { note, refunded, id }: { note: string; refunded: Pesewas | null; id: string }) => {
      if (action === "correct") return correctPayment(client, payment.id, note);
      if (action !== "refund") return decidePayment(client, payment.id, action, note);
      if (refunded === null) throw new Error("A refund has an amount");
      return refundPayment(client, { refundId: id, paymentId: payment.id, amount: refunded, note });
    },
    success: () => ({ title: done }),
    failure: failed,
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: close,
  });
  function close(): void {
    kept.forget();
    onDone();
  }

  const { dirty, field, formProps, kept } = useKeptForm({
    kept: `payment ${action} ${payment.id}`,
    adds: true,
    fields: { amount: cedisFromPesewas(payment.refundable).toFixed(2), note: "" },
    rules: ({ amount, note }) => {
      const read = readAmount(amount);
      return {
        ...(action === "refund" && "error" in read && { amount: read.error }),
        ...(reason && note.trim() === "" && { note: "Say why" }),
      };
    },
    send({ amount, note }, { attempt }) {
      const read = readAmount(amount);
      act.mutate({ note, refunded: "amount" in read ? read.amount : null, id: attempt });
    },
  });

  return (
    <form {...formProps} aria-label={button} data-unsaved={dirty || undefined} className="grid gap-3 py-2">
      <KeptNote kept={kept} className="" />
      <p className="text-muted">{about}</p>
      {action === "refund" && endsDownloads && <p className="font-semibold">{ENDS_DOWNLOADS}</p>}
      {action === "refund" && (
        <InputField
          label="Amount, GH₵"
          hint={`At most ${formatCedis(payment.refundable)}`}
          inputMode="decimal"
          autoComplete="off"
          {...field("amount")}
        />
      )}
      <InputField
        label={reason ? "Why" : "Note (optional)"}
        hint="The customer can read it"
        autoComplete="off"
        maxLength={500}
        {...field("note")}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={act.isPending}>
          {button}
        </Button>
        <Button variant="secondary" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
