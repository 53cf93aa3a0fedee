import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { cedisFromPesewas, formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { keepOverpayment } from "./payment.admin-queries.ts";
import { readAmount } from "./payment-form.ts";

const nothing = 0 as Pesewas;

/** Sets what is kept of an order's money. Its message has an Undo, which keeps what was kept before. */
function useKeep(
  orderId: string,
  former: Pesewas,
  { onDone, onError }: { onDone?: () => void; onError?: (error: unknown) => void } = {},
) {
  const back = useAdminMutation({
    run: (client, reason: string) => keepOverpayment(client, { orderId, amount: former, reason }),
    success: () => ({
      title: former > 0 ? `${formatCedis(former)} kept again` : "The money is owed back again",
    }),
    failure: "Failed to undo it",
  });
  return useAdminMutation({
    run: (client, { amount, reason, noteId }: { amount: Pesewas; reason?: string; noteId: string }) =>
      keepOverpayment(client, { orderId, amount, reason, noteId }),
    success: (_, { amount }) => ({
      title: amount > 0 ? `${formatCedis(amount)} kept` : "The money is owed back again",
      action: { label: "Undo", onClick: () => back.mutate("Undone") },
    }),
    failure: "Failed to keep the money",
    onSuccess: onDone,
    onError,
  });
}

type KeepOverpaymentProps = { orderId: string; owedBack: Pesewas; kept: Pesewas; onDone: () => void };

/** Keeps money that is owed back, as agreed with the customer, with a reason that only staff read. */
export function KeepOverpayment({ orderId, owedBack, kept: former, onDone }: KeepOverpaymentProps) {
  const most = sumPesewas([owedBack, former]);
  function close(): void {
    kept.forget();
    onDone();
  }
  const keep = useKeep(orderId, former, {
    onDone: close,
    onError: (error) => {
      kept.onRefused(error);
    },
  });
  const { dirty, field, formProps, kept } = useKeptForm({
    kept: `overpayment ${orderId}`,
    adds: true,
    fields: { amount: cedisFromPesewas(most).toFixed(2), reason: "" },
    rules: ({ amount, reason }) => {
      const read = readAmount(amount);
      return {
        ...("error" in read && { amount: read.error }),
        ...("amount" in read && read.amount > most && { amount: `At most ${formatCedis(most)}` }),
        ...(reason.trim() === "" && { reason: "Say why" }),
      };
    },
    send({ amount, reason }, { attempt }) {
      const read = readAmount(amount);
      if ("amount" in read) keep.mutate({ amount: read.amount, reason, noteId: attempt });
    },
  });
  return (
    <form
      {...formProps}
      aria-label="Keep the money"
      data-unsaved={dirty || undefined}
      className="mt-3 grid gap-4 sm:grid-cols-2"
    >
      <KeptNote kept={kept} className="sm:col-span-2" />
      <InputField
        label="Total to keep, GH₵"
        hint={`At most ${formatCedis(most)}. The customer sees it on the order's page.`}
        inputMode="decimal"
        autoComplete="off"
        {...field("amount")}
      />
      <InputField
        label="Why"
        hint="A note for staff, such as 'Agreed by phone: our costs'"
        autoComplete="off"
        maxLength={500}
        {...field("reason")}
      />
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" busy={keep.isPending}>
          Keep
        </Button>
        <Button variant="secondary" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Owes the customer again what was kept. */
export function OweAgain({ orderId, kept }: { orderId: string; kept: Pesewas }) {
  const [noteId] = useState(newUuid);
  const owe = useKeep(orderId, kept);
  return (
    <Button
      variant="secondary"
      size="small"
      busy={owe.isPending}
      onClick={() => owe.mutate({ amount: nothing, noteId })}
    >
      Stop keeping it
    </Button>
  );
}
