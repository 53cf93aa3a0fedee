import { useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { InputField, SelectField } from "#app/components/field.tsx";
import { isOpen } from "#app/features/orders/order.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { useOrderPayments } from "#app/office/sales/payments/order-payments.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { cedisFromPesewas, formatCedis, type Pesewas } from "#shared/text/money.ts";
import { type OrderDetails, type ReturnedLine, returnCopies, undoReturn } from "./order.admin-queries.ts";
import {
  findError,
  fullRefund,
  readCopies,
  readReturn,
  readUnsalable,
  returnReasons,
  sumReturn,
  type TypedReturn,
} from "./return-form.ts";

/** Cancelling an open order returns its copies; for other orders staff decide. */
export function ReturnToStock({ order }: { order: OrderDetails }) {
  const [open, setOpen] = useState(false);
  if (isOpen(order) || (order.toReturn.size === 0 && !open)) return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <OfficeIcon name="undo" />
        Return to stock
      </Button>
      {open && <ReturnDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Undoes a return by its id. */
export function useUndoReturn() {
  return useAdminMutation({
    run: undoReturn,
    success: () => ({ title: "Return undone" }),
    failure: "Failed to undo the return",
  });
}

function ReturnDialog({ order: current, onClose }: { order: OrderDetails; onClose: () => void }) {
  // The order as it was opened: a later read must not change the lines while someone is typing.
  const [order] = useState(current);
  const formId = useId();
  const [start] = useState(() => ({ lines: typedLines(order) }));
  const [lines, setLines] = useState(start.lines);
  const isCancelled = order.status === "cancelled";
  const returned = readReturn(lines);
  const { copies } = sumReturn(returned);
  const undo = useUndoReturn();
  const giveBack = useAdminMutation({
    run: (client, { reason, note, id }: { reason: string; note: string; id: string }) =>
      returnCopies(client, order.id, { id, lines: returned, reason, note }),
    success: (_, { id }) => ({
      title: returned.some(({ resalable }) => resalable) ? "Copies returned to stock" : "Copies returned",
      action: { label: "Undo", onClick: () => undo.mutate(id) },
    }),
    failure: "Failed to return the copies",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { dirty, field, formProps, kept } = useKeptForm({
    kept: `return ${order.id}`,
    adds: true,
    beside: {
      start,
      values: { lines },
      restore: ({ lines: typed }) => typed && setLines(retyped(start.lines, typed)),
    },
    fields: { reason: "", note: "" },
    rules: ({ reason }) => ({ ...(reason === "" && { reason: "Choose why they came back" }) }),
    send(values, { attempt, form }) {
      if (lines.some(findError)) form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      else giveBack.mutate({ ...values, id: attempt });
    },
  });
  const isChanged = dirty || copies > 0;
  const change = (changed: string, typed: Partial<TypedReturn>) =>
    setLines((before) => before.map((line) => (line.id === changed ? { ...line, ...typed } : line)));
  return (
    <FormDialog
      dirty={isChanged}
      kept={kept}
      title="Return to stock"
      description={`Order ${order.number}. Enter the copies that came back.`}
      size="large"
      onClose={onClose}
      footer={
        <div className="flex w-full flex-wrap items-center justify-between gap-3">
          <div className="figures" role="status">
            {copies > 0 ? (
              <ReturnSum order={order} lines={returned} />
            ) : (
              <p className="text-muted">No copies entered yet</p>
            )}
          </div>
          <Button type="submit" form={formId} busy={giveBack.isPending} disabled={copies === 0}>
            {copies > 0 ? `Return ${countOf(copies, "Copy", "Copies")}` : "Return Copies"}
          </Button>
        </div>
      }
    >
      <form {...formProps} id={formId}>
        <Button
          variant="secondary"
          size="small"
          onClick={() => setLines((before) => before.map((line) => ({ ...line, copies: String(line.most) })))}
        >
          Return All
        </Button>
        <table aria-label="Copies that came back" className="figures mt-3 block w-full sm:table">
          <thead className="hidden text-13 text-muted sm:table-header-group">
            <tr className="border-b border-line-strong">
              <Heading className="text-left">Book</Heading>
              <Heading>Copies</Heading>
              <Heading>Of these, can't be sold again</Heading>
              {!isCancelled && <Heading>Refund, GH₵</Heading>}
            </tr>
          </thead>
          <tbody className="block sm:table-row-group">
            {lines.map((line) => (
              <ReturnRow
                key={line.id}
                line={line}
                hasRefund={!isCancelled}
                onChange={(typed) => change(line.id, typed)}
              />
            ))}
          </tbody>
        </table>
        {isCancelled && (
          <p className="mt-3 text-13 text-muted">
            This order is cancelled, so everything paid for it is to be refunded anyway.
          </p>
        )}
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <SelectField label="Why they came back" {...field("reason")}>
            <option value="">Choose a reason</option>
            {Object.entries(returnReasons).map(([reason, label]) => (
              <option key={reason} value={reason}>
                {label}
              </option>
            ))}
          </SelectField>
          <InputField
            label="Note (optional)"
            hint="Customers never see it."
            maxLength={500}
            autoComplete="off"
            {...field("note")}
          />
        </div>
      </form>
    </FormDialog>
  );
}

const typedLines = ({ order_items, toReturn }: OrderDetails): TypedReturn[] =>
  order_items.flatMap(({ id, title, price, quantity }) => {
    const most = toReturn.get(id);
    return most ? [{ id, title, price, sold: quantity, most, copies: "", unsalable: "", refund: null }] : [];
  });

/** What was typed for the lines that still have copies to return, of which there may be fewer by now. */
const retyped = (lines: readonly TypedReturn[], typed: readonly TypedReturn[]): TypedReturn[] =>
  lines.map((line) => {
    const before = typed.find(({ id }) => id === line.id);
    return before
      ? { ...line, copies: before.copies, unsalable: before.unsalable, refund: before.refund }
      : line;
  });

type ReturnRowProps = {
  line: TypedReturn;
  hasRefund: boolean;
  onChange: (typed: Partial<TypedReturn>) => void;
};

function ReturnRow({ line, hasRefund, onChange }: ReturnRowProps) {
  const { title, sold, most } = line;
  const errorId = useId();
  const error = findError(line);
  const areWrong = readCopies(line) === null;
  const areTooMany = readUnsalable(line) === null;
  const describe = (isWrong: boolean) => ({
    "aria-invalid": isWrong || undefined,
    "aria-describedby": isWrong ? errorId : undefined,
  });
  const refund = line.refund ?? cedisFromPesewas(fullRefund(line)).toFixed(2);
  return (
    <tr className="grid grid-cols-2 items-end gap-x-4 gap-y-2 border-b border-line py-3 sm:table-row">
      <td className="col-span-2 block sm:table-cell sm:py-2 sm:pr-3">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-13 text-muted">
          {sold} sold{most < sold && `, ${sold - most} already back`}
        </p>
        {error && (
          <p id={errorId} className="text-13 font-semibold text-clay">
            {error}
          </p>
        )}
      </td>
      <Cell label="Copies">
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label={`Copies of ${title} that came back, at most ${most}`}
          className={`${controlClass} text-right sm:w-20!`}
          value={line.copies}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => onChange({ copies: target.value })}
          {...describe(areWrong)}
        />
      </Cell>
      <Cell label="Of these, can't be sold again">
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label={`Of these copies of ${title}, those that can't be sold again`}
          placeholder="0"
          className={`${controlClass} text-right sm:w-20!`}
          value={line.unsalable}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => onChange({ unsalable: target.value })}
          {...describe(!areWrong && areTooMany)}
        />
      </Cell>
      {hasRefund && (
        <Cell label="Refund, GH₵">
          <input
            inputMode="decimal"
            autoComplete="off"
            aria-label={`Refund for ${title}, GH₵`}
            className={`${controlClass} text-right sm:w-28!`}
            value={refund}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => onChange({ refund: target.value })}
            {...describe(error !== null && !areWrong && !areTooMany)}
          />
        </Cell>
      )}
    </tr>
  );
}

/** Its label is shown on a phone, where there is no row of headings. */
function Cell({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <td className="block sm:table-cell sm:py-2 sm:pl-3 sm:text-right sm:align-top">
      <span aria-hidden="true" className="mb-1 block text-13 text-muted sm:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}

function Heading({ className = "pl-3 text-right", children }: { className?: string; children: string }) {
  return (
    <th scope="col" className={`py-1 font-semibold ${className}`}>
      {children}
    </th>
  );
}

/** The copies, the refund, and what the customer then owes or is owed. */
function ReturnSum({ order, lines }: { order: OrderDetails; lines: readonly ReturnedLine[] }) {
  const { data: payment } = useOrderPayments(order.id);
  const { copies, refund } = sumReturn(lines);
  if (order.status === "cancelled") return <p>{countOf(copies, "copy", "copies")}</p>;
  const owed = payment ? payment.paid - payment.kept - (order.total_amount - payment.returned - refund) : 0;
  return (
    <>
      <p>
        {countOf(copies, "copy", "copies")}, <strong className="font-semibold">{formatCedis(refund)}</strong>
      </p>
      {owed !== 0 && (
        <p className="text-13">
          {owed > 0
            ? `Then ${formatCedis(owed as Pesewas)} to refund`
            : `${formatCedis(-owed as Pesewas)} is then due`}
        </p>
      )}
    </>
  );
}
