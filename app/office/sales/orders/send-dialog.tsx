import { useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import type { Shipment } from "#shared/orders/order-fields.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { type OrderDetails, shipCopies, undoShipment } from "./order.admin-queries.ts";
import { travels } from "./order-status-select.tsx";
import { readCopies } from "./return-form.ts";
import { readSend, sumSend, type TypedSend } from "./send-form.ts";
import { noShipment, ShippingFields } from "./shipping-fields.tsx";

/** Whether copies of an order were sent before the rest. */
export const isPartSent = ({ shipments }: { shipments: readonly { undone_at: string | null }[] }): boolean =>
  shipments.some(({ undone_at }) => undone_at === null);

/** For an open order that travels, while copies are left to send. */
export function SendCopies({ order }: { order: OrderDetails }) {
  const [open, setOpen] = useState(false);
  if (!travels(order) || (order.toSend.size === 0 && !open)) return null;
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        <OfficeIcon name="truck" />
        Send Some Copies
      </Button>
      {open && <SendDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Undoes a shipment by its id. */
export function useUndoShipment() {
  return useAdminMutation({
    run: undoShipment,
    success: (toldAt) => ({
      title: "Shipment undone",
      ...(toldAt !== null && {
        description: `The customer was told of this parcel on ${formatMinute(toldAt)}. Another email corrects that.`,
      }),
    }),
    failure: "Failed to undo the shipment",
  });
}

function SendDialog({ order: current, onClose }: { order: OrderDetails; onClose: () => void }) {
  // The order as it was opened: a later read must not change the lines while someone is typing.
  const [order] = useState(current);
  const formId = useId();
  const [start] = useState(() => ({ lines: typedLines(order) }));
  const [lines, setLines] = useState(start.lines);
  const { sent, left } = sumSend(lines);
  const undo = useUndoShipment();
  const send = useAdminMutation({
    run: (client, { id, shipment }: { id: string; shipment: Shipment }) =>
      shipCopies(client, order.id, { id, lines: readSend(lines), shipment }),
    success: (isAll, { id }) => ({
      title: `${countOf(sent, "copy", "copies")} sent`,
      description: isAll ? "The order is now shipped." : `${left} left to send.`,
      action: { label: "Undo", onClick: () => undo.mutate(id) },
    }),
    failure: "Failed to send the copies",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { dirty, field, formProps, kept } = useKeptForm({
    kept: `parcel ${order.id}`,
    adds: true,
    beside: {
      start,
      values: { lines },
      restore: ({ lines: typed }) => typed && setLines(retyped(start.lines, typed)),
    },
    fields: noShipment,
    send(shipment, { attempt, form }) {
      if (lines.some((line) => readCopies(line) === null))
        form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
      else send.mutate({ id: attempt, shipment });
    },
  });
  const setCopies = (copies: (line: TypedSend) => string) =>
    setLines((before) => before.map((line) => ({ ...line, copies: copies(line) })));
  return (
    <FormDialog
      dirty={dirty || left > 0}
      kept={kept}
      title="Send some copies"
      description={`Order ${order.number}. Enter the copies that this parcel holds.`}
      size="large"
      onClose={onClose}
      footer={
        <div className="flex w-full flex-wrap items-center justify-between gap-3">
          <p className="figures min-w-0 flex-1 basis-60" role="status">
            {describeSend(sent, left)}
          </p>
          <Button type="submit" form={formId} busy={send.isPending} disabled={sent === 0}>
            {sent > 0 ? `Send ${countOf(sent, "Copy", "Copies")}` : "Send Copies"}
          </Button>
        </div>
      }
    >
      <form {...formProps} id={formId}>
        <div className="flex gap-2">
          <Button variant="secondary" size="small" onClick={() => setCopies(({ most }) => String(most))}>
            All
          </Button>
          <Button variant="secondary" size="small" onClick={() => setCopies(() => "")}>
            None
          </Button>
        </div>
        <ul aria-label="Copies in this parcel" className="figures mt-3 border-t border-line-strong">
          {lines.map((line) => (
            <SendRow
              key={line.id}
              line={line}
              onChange={(copies) => setCopies((one) => (one.id === line.id ? copies : one.copies))}
            />
          ))}
        </ul>
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <ShippingFields field={field} />
        </div>
      </form>
    </FormDialog>
  );
}

const typedLines = ({ order_items, toSend }: OrderDetails): TypedSend[] =>
  order_items.flatMap(({ id, title, quantity }) => {
    const most = toSend.get(id);
    return most ? [{ id, title, ordered: quantity, most, copies: String(most) }] : [];
  });

/** The lines with the copies that were typed, of which fewer may be left by now. */
const retyped = (lines: readonly TypedSend[], typed: readonly TypedSend[]): TypedSend[] =>
  lines.map((line) => ({ ...line, copies: typed.find(({ id }) => id === line.id)?.copies ?? line.copies }));

/** What follows: an email, and whether the order is then shipped. */
function describeSend(sent: number, left: number): string {
  if (sent === 0) return "No copies entered yet";
  const email = "The customer gets an email with these details.";
  return left === 0
    ? `These are all that are left: the order is then shipped. ${email}`
    : `${countOf(left, "copy is", "copies are")} then left to send. ${email}`;
}

function SendRow({ line, onChange }: { line: TypedSend; onChange: (copies: string) => void }) {
  const { title, ordered, most, copies } = line;
  const errorId = useId();
  const isWrong = readCopies(line) === null;
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line py-2.5">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="text-13 text-muted">
          {ordered} ordered{most < ordered && `, ${most} left to send`}
        </p>
        {isWrong && (
          <p id={errorId} className="text-13 font-semibold text-clay">
            Enter a number up to {most}
          </p>
        )}
      </div>
      <input
        inputMode="numeric"
        autoComplete="off"
        aria-label={`Copies of ${title} in this parcel, at most ${most}`}
        className={`${controlClass} w-20! shrink-0 text-right`}
        value={copies}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? errorId : undefined}
      />
    </li>
  );
}
