import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { isDownloaded } from "#app/features/cart/cart.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { AddLine } from "#app/office/frame/lines/add-line.tsx";
import { useKept } from "#app/office/frame/use-kept.ts";
import { useOrderPayments } from "#app/office/sales/payments/order-payments.tsx";
import { formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import { isSameLines, linesOf } from "./changed-lines.ts";
import { changeOrder, findChangedDeliveryFee, type OrderDetails } from "./order.admin-queries.ts";
import { addCopy, booksTotal, type PhoneLine } from "./phone-order.ts";
import { PhoneOrderLines } from "./phone-order-lines.tsx";

/** The most copies of a title in a quote, which an order may have come from. */
const MOST_COPIES = 9_999;

/** Removes books from an open order, changes the number of copies or adds books. */
export function ChangeOrder({ order }: { order: OrderDetails }) {
  const [open, setOpen] = useState(false);
  if (order.status !== "pending" && order.status !== "processing") return null;
  return (
    <>
      <Button variant="secondary" size="small" className="mt-3" onClick={() => setOpen(true)}>
        Change Books
      </Button>
      {open && <ChangeOrderDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeOrderDialog({ order: current, onClose }: { order: OrderDetails; onClose: () => void }) {
  // The order as it was opened: with the version of a later read, saving would overwrite another admin's change.
  const [order] = useState(current);
  const [start] = useState(() => linesOf(order));
  const [lines, setLines] = useState<readonly PhoneLine[]>(start);
  const dirty = !isSameLines(start, lines);
  const kept = useKept({
    name: `order books ${order.id}`,
    start: { lines: start },
    values: { lines },
    version: order.updated_at,
    restore: ({ lines: typed }) => typed && setLines(typed),
  });
  const books = booksTotal(lines);
  const isDigital = isDownloaded(lines.map((book) => ({ book })));
  const fee = useAdminQuery(
    ["orders", "delivery fee", order.id, books, isDigital],
    (client) => findChangedDeliveryFee(client, order.id, books, isDigital),
    { enabled: lines.length > 0 },
  );
  const total = fee.data === undefined ? undefined : sumPesewas([books, fee.data]);
  const failure = readFailure("delivery fee", fee);
  const change = useAdminMutation({
    run: (client, newTotal: Pesewas) => changeOrder(client, order, lines, newTotal),
    success: () => ({ title: `Order ${order.number} changed`, description: "The customer gets an email." }),
    failure: "Failed to change the order",
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  return (
    <FormDialog
      dirty={dirty}
      kept={kept}
      title="Change books"
      description={`Order ${order.number}. Books already ordered keep their price.`}
      size="large"
      onClose={onClose}
      footer={
        <div className="flex w-full flex-wrap items-center justify-between gap-3">
          <p className="figures" role="status">
            {total === undefined ? "Working out the total..." : <Totals order={order} total={total} />}
          </p>
          <Button
            busy={change.isPending}
            disabled={!dirty || lines.length === 0 || total === undefined}
            onClick={() => total !== undefined && change.mutate(total)}
          >
            Save and Email the Customer
          </Button>
        </div>
      }
    >
      <PhoneOrderLines lines={lines} onChange={setLines} most={MOST_COPIES} />
      {lines.length === 0 && (
        <p className="mb-4">An order needs at least one book. To remove them all, cancel the order.</p>
      )}
      {failure && <RetryNote {...failure} />}
      <AddLine
        added={new Set(lines.map(({ id }) => id))}
        there="In the order"
        onAdd={(book) => setLines((before) => [...before, { ...book, quantity: 1 }])}
        onAgain={(id) => setLines((before) => addCopy(before, id, MOST_COPIES))}
      />
    </FormDialog>
  );
}

/** The new and old totals, and what is then due or to be refunded. */
function Totals({ order, total }: { order: OrderDetails; total: Pesewas }) {
  const payments = useOrderPayments(order.id);
  const paid = payments.data?.paid ?? 0;
  const owed = total - (payments.data?.returned ?? 0);
  return (
    <>
      <span className="block">
        Total <strong className="font-semibold">{formatCedis(total)}</strong>
        {total !== order.total_amount && `, was ${formatCedis(order.total_amount)}`}
      </span>
      {paid > 0 && owed !== paid && (
        <span className="block text-13">
          {formatCedis(paid as Pesewas)} paid,{" "}
          {owed > paid
            ? `${formatCedis((owed - paid) as Pesewas)} due`
            : `${formatCedis((paid - owed) as Pesewas)} to refund`}
        </span>
      )}
    </>
  );
}
