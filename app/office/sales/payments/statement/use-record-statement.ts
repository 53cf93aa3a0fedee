import { useState } from "react";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, sumPesewas } from "#shared/text/money.ts";
import { type CheckedLine, paymentsOf } from "./checked-lines.ts";
import {
  type PayableOrder,
  type PaymentOfLine,
  type RefusedLine,
  recordStatement,
  type StatementMethod,
} from "./statement.admin-queries.ts";

const isRefused = (error: unknown) => isBackendFailure(error) && error.code === "payments_refused";

/**
 * Records ticked lines together. The statement keeps its id, so that clicking the button again after a lost connection
 * records nothing twice.
 */
export function useRecordStatement(
  statement: { id: string; method: StatementMethod },
  onRecorded: (lines: number[]) => void,
) {
  const [recorded, setRecorded] = useState<ReadonlyMap<number, number>>(new Map());
  const [refused, setRefused] = useState<RefusedLine[]>([]);
  const mutation = useAdminMutation({
    run: (client, { payments }: { payments: PaymentOfLine[]; orders: ReadonlyMap<number, number> }) =>
      recordStatement(client, statement, payments),
    success: (count, { payments }) => ({
      title: `${countOf(count, "payment")} recorded, ${formatCedis(sumPesewas(payments.map(({ amount }) => amount)))}`,
    }),
    failure: "Failed to record the payments",
    isShown: isRefused,
    onSuccess: (_, { orders }) => {
      setRecorded((before) => new Map([...before, ...orders]));
      onRecorded([...orders.keys()]);
    },
    long: true,
  });

  return {
    /** The order number of each line recorded here. */
    recorded,
    refused,
    isPending: mutation.isPending,
    record(ticked: readonly CheckedLine[], confirmed: readonly PayableOrder[]) {
      setRefused([]);
      mutation.mutate(
        {
          payments: paymentsOf(ticked, confirmed),
          orders: new Map(ticked.flatMap(({ line, order }) => (order ? [[line.line, order.number]] : []))),
        },
        {
          onError: (error) => {
            if (isRefused(error) && isBackendFailure(error)) setRefused(error.facts.lines as RefusedLine[]);
          },
        },
      );
    },
  };
}
