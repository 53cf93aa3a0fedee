import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { CompactSelect } from "#app/components/office/compact-select.tsx";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { ORDER_STATUSES, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import { countOf } from "#app/lib/count-of.ts";
import { type OrderRow, type StatusOutcome, setOrderStatuses } from "./order.admin-queries.ts";
import { STATUS_NAMES, travels } from "./order-status-select.tsx";
import { ShipDialog } from "./ship-dialog.tsx";
import { documentsPath, type StaffDocument } from "./staff-documents.ts";

type SelectedOrdersProps = {
  /** The selected orders, as shown in the list. */
  orders: readonly OrderRow[];
  /** All orders on the page. */
  all: readonly OrderRow[];
  /** Selects only these. */
  onSelect: (ids: readonly string[]) => void;
  /** Shown while no order is selected. */
  otherwise: ReactNode;
};

const documents: [kind: StaffDocument, label: string][] = [
  ["pick-list", "Pick list"],
  ["packing-list", "Packing lists"],
  ["delivery-note", "Delivery notes"],
];

/**
 * Actions on several orders together: setting a status, which reports the orders that could not change, and printing
 * documents. The row is there before an order is selected, so that selecting one moves nothing.
 */
export function SelectedOrders({ orders, all, onSelect, otherwise }: SelectedOrdersProps) {
  const [status, setStatus] = useState<OrderStatus>("processing");
  const [refused, setRefused] = useState<StatusOutcome[]>([]);
  const [shipping, setShipping] = useState(false);
  const showOutcomes = (outcomes: StatusOutcome[]) => {
    const left = outcomes.filter(({ problem }) => problem !== null);
    setRefused(left);
    onSelect(left.map(({ id }) => id));
  };
  const change = useAdminMutation({
    run: (client, selected: readonly OrderRow[]) => setOrderStatuses(client, selected, status),
    success: (outcomes) => {
      const changed = outcomes.filter(({ problem }) => problem === null).length;
      return changed > 0 ? { title: `${countOf(changed, "order")} set to ${status}` } : null;
    },
    failure: "Failed to update the orders",
    onSuccess: showOutcomes,
    long: true,
  });
  return (
    <>
      {refused.length > 0 && (
        <div className="mb-3">
          <Callout tone="warning" scrollsIntoView>
            <p className="font-semibold">{countOf(refused.length, "order")} could not change:</p>
            <ul className="mt-1 list-disc pl-5">
              {refused.map(({ id, number, problem }) => (
                <li key={id} className="wrap-anywhere">
                  {number === null ? "An order" : `Order ${number}`}: {problem}
                </li>
              ))}
            </ul>
          </Callout>
        </div>
      )}
      {shipping && <ShipDialog orders={orders} onClose={() => setShipping(false)} onShipped={showOutcomes} />}
      {orders.length === 0 ? (
        <div className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-2">
          {all.length > 1 ? <SelectAll all={all} onSelect={onSelect} /> : <span />}
          {otherwise}
        </div>
      ) : (
        <section
          aria-label="Selected orders"
          className="mb-3 flex min-h-12 flex-wrap items-center gap-1.5 rounded-control bg-tint px-3 py-1"
        >
          <p role="status" className="figures mr-1 font-semibold">
            {countOf(orders.length, "order")} selected
          </p>
          {orders.length < all.length && <SelectAll all={all} onSelect={onSelect} />}
          <CompactSelect
            aria-label="New status"
            value={status}
            disabled={change.isPending}
            onChange={({ target }) => setStatus(readStatus(target.value))}
          >
            {ORDER_STATUSES.map((one) => (
              <option key={one} value={one}>
                {STATUS_NAMES[one]}
              </option>
            ))}
          </CompactSelect>
          <Button
            size="small"
            busy={change.isPending}
            onClick={() =>
              status === "shipped" && orders.some(travels) ? setShipping(true) : change.mutate(orders)
            }
          >
            Set Status
          </Button>
          {documents.map(([kind, label]) => (
            <Link
              key={kind}
              to={documentsPath(orders, kind)}
              className={buttonClass({ variant: "secondary", size: "small" })}
            >
              {label}
            </Link>
          ))}
          <IconAction icon="close" label="Clear selection" onClick={() => onSelect([])} />
        </section>
      )}
    </>
  );
}

function SelectAll({ all, onSelect }: Pick<SelectedOrdersProps, "all" | "onSelect">) {
  return (
    <Button
      variant="quiet"
      size="small"
      className="in-[div]:-ml-3"
      onClick={() => onSelect(all.map(({ id }) => id))}
    >
      Select All {all.length}
    </Button>
  );
}
