import { useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { AddLine } from "#app/office/frame/lines/add-line.tsx";
import { BottomBar } from "#app/office/frame/lines/bottom-bar.tsx";
import { LatestVersion } from "#app/office/frame/lines/latest-version.tsx";
import { findPurchase, type PurchaseRecord } from "./purchase.admin-queries.ts";
import { formatAmount, receivePath } from "./purchase.ts";
import { PurchaseFacts } from "./purchase-facts.tsx";
import { PurchaseLineTable } from "./purchase-line-table.tsx";
import { PurchaseOutputs } from "./purchase-outputs.tsx";
import { PurchaseReceived } from "./purchase-received.tsx";
import { keptPurchase, usePurchaseEditor } from "./use-purchase-editor.ts";

/** One purchase order, which staff prepare, mark as sent and cancel. */
export function PurchaseEditor({ id }: { id: string }) {
  const found = useAdminQuery(["purchases", "record", id], (client) => findPurchase(client, id));
  return (
    <LatestVersion noun="purchase order" found={found} keptAs={keptPurchase}>
      {(purchase, onSaved) => (
        <Editor key={`${purchase.id} ${purchase.version}`} purchase={purchase} onSaved={onSaved} />
      )}
    </LatestVersion>
  );
}

type EditorProps = { purchase: PurchaseRecord; onSaved: (version: number) => void };

function Editor({ purchase, onSaved }: EditorProps) {
  const editor = usePurchaseEditor(purchase, onSaved);
  const { typed, wrong, problem, total, dirty } = editor;
  const [cancelling, setCancelling] = useState(false);
  const { question } = useUnsavedChanges(dirty && !editor.busy, { kept: editor.kept });
  const { status, currency } = purchase;
  const hasArrived = purchase.lines.some(({ received }) => received > 0);
  return (
    <div className="flex flex-col gap-6">
      <KeptNote kept={editor.kept} className="" />
      <PurchaseFacts purchase={purchase} />
      {!dirty && (status === "sent" || status === "part_received") && (
        <div>
          <Link to={receivePath(purchase.id)} className={buttonClass({})}>
            Receive goods
          </Link>
        </div>
      )}
      {!dirty && purchase.lines.length > 0 && <PurchaseOutputs purchase={purchase} />}
      {hasArrived ? (
        <PurchaseReceived purchase={purchase} />
      ) : (
        <>
          {typed.lines.length > 0 && (
            <div>
              <PurchaseLineTable
                lines={typed.lines}
                currency={currency}
                wrong={wrong}
                onChange={editor.changeLine}
                onRemove={editor.removeLine}
              />
              <dl className="figures mt-3 ml-auto grid max-w-xs grid-cols-[1fr_auto] gap-x-6 text-17 font-semibold [&>dd]:text-right">
                <dt>Total</dt>
                <dd>{formatAmount(total, currency)}</dd>
              </dl>
            </div>
          )}
          <AddLine
            added={new Set(typed.lines.map(({ book_id }) => book_id))}
            there="In the purchase order"
            onAdd={editor.addLine}
            onAgain={editor.addCopy}
          />
          <TextareaField
            label="Note to the supplier"
            rows={3}
            maxLength={2000}
            className="max-w-2xl"
            value={typed.note}
            onChange={({ target }) => editor.change({ note: target.value })}
          />
        </>
      )}
      <BottomBar problem={problem}>
        {(dirty || status === "draft") && (
          <Button busy={editor.busy} onClick={() => editor.submit(true)}>
            {dirty ? "Save and Mark as Sent" : "Mark as Sent"}
          </Button>
        )}
        {!hasArrived && (
          <Button
            variant="secondary"
            disabled={!dirty}
            busy={editor.busy}
            onClick={() => editor.submit(false)}
          >
            Save Draft
          </Button>
        )}
        {status !== "cancelled" && status !== "received" && (
          <Button variant="quiet-danger" busy={editor.busy} onClick={() => setCancelling(true)}>
            Cancel Order
          </Button>
        )}
        {hasArrived && (
          <p className="text-13 text-muted">Books have arrived, so it can no longer be changed.</p>
        )}
        {!hasArrived && status !== "draft" && (
          <p className="text-13 text-muted">Saving a change makes it a draft again, with the same number.</p>
        )}
      </BottomBar>
      <ConfirmDialog
        open={cancelling}
        question="Cancel this purchase order?"
        confirmLabel="Cancel Order"
        onConfirm={editor.end}
        onClose={() => setCancelling(false)}
      >
        <p>
          {hasArrived
            ? "Books that have arrived stay in stock. Tell the supplier yourself that you no longer want the rest: no email is sent."
            : status === "sent"
              ? "Tell the supplier yourself: no email is sent. It keeps its number, and saving a change makes it a draft again."
              : "You can still change it: saving makes it a draft again."}
        </p>
      </ConfirmDialog>
      {question}
    </div>
  );
}
