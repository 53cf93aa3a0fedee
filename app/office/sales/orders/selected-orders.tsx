import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { ORDER_STATUSES, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { countOf } from "#shared/text/count-of.ts";
import type { OrderRow, StatusOutcome } from "./order.admin-queries.ts";
import { travels } from "./order-status-select.tsx";
import { ShipDialog } from "./ship-dialog.tsx";
import { documentsPath, type StaffDocument } from "./staff-documents.ts";
import { StatusDialog } from "./status-dialog.tsx";
import { STATUS_NAMES } from "./status-names.ts";

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
 * Actions on several orders together: setting a status, which asks first and reports the orders that did not change, and printing
 * documents. The row is there before an order is selected, so that selecting one moves nothing.
 */
export function SelectedOrders({ orders, all, onSelect, otherwise }: SelectedOrdersProps) {
  // Nothing is chosen beforehand: a click alone sets no status.
  const [status, setStatus] = useState<OrderStatus | null>(null);
  const [refused, setRefused] = useState<StatusOutcome[]>([]);
  const [asking, setAsking] = useState(false);
  const showOutcomes = (outcomes: StatusOutcome[]) => {
    const left = outcomes.filter(({ problem }) => problem !== null);
    setRefused(left);
    onSelect(left.map(({ id }) => id));
    setStatus(null);
  };
  return (
    <>
      {refused.length > 0 && (
        <div className="mb-3">
          <Callout tone="warning" scrollsIntoView>
            <p className="font-semibold">{countOf(refused.length, "order")} did not change:</p>
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
      {asking && status && (
        <Question orders={orders} status={status} onClose={() => setAsking(false)} onDone={showOutcomes} />
      )}
      {orders.length === 0 ? (
        <div className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-2">
          {all.length > 1 ? <SelectAll all={all} onSelect={onSelect} /> : <span />}
          {otherwise}
        </div>
      ) : (
        <section
          aria-label="Selected orders"
          className="mb-3 flex min-h-12 flex-wrap items-center gap-1 rounded-control bg-tint py-1 pr-1 pl-3"
        >
          <p role="status" className="figures mr-1 font-semibold">
            {countOf(orders.length, "order")} selected
          </p>
          {orders.length < all.length && <SelectAll all={all} onSelect={onSelect} />}
          <CompactSelect
            aria-label="New status"
            value={status ?? ""}
            onChange={({ target }) => setStatus(target.value === "" ? null : readStatus(target.value))}
          >
            <option value="">New status …</option>
            {ORDER_STATUSES.map((one) => (
              <option key={one} value={one}>
                {STATUS_NAMES[one]}
              </option>
            ))}
          </CompactSelect>
          <Button size="small" disabled={status === null} onClick={() => setAsking(true)}>
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

type QuestionProps = {
  orders: readonly OrderRow[];
  status: OrderStatus;
  onClose: () => void;
  onDone: (outcomes: StatusOutcome[]) => void;
};

function Question({ orders: selected, status, onClose, onDone }: QuestionProps) {
  // The list is refetched while the question is open. The answer applies to the orders as the question showed them.
  const [orders] = useState(selected);
  return status === "shipped" && orders.some(travels) ? (
    <ShipDialog orders={orders} onClose={onClose} onShipped={onDone} />
  ) : (
    <StatusDialog orders={orders} status={status} onClose={onClose} onChanged={onDone} />
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
