import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { BottomBar } from "#app/office/frame/lines/bottom-bar.tsx";
import { ScanBox } from "#app/office/frame/scanning/scan-box.tsx";
import { findPurchase, type PurchaseRecord } from "#app/office/stock/purchases/purchase.admin-queries.ts";
import { CURRENCIES } from "#app/office/stock/suppliers/currencies.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { bookReceipt, type ReceiptValues } from "./receipt.admin-queries.ts";
import { receiptDraft, restoredLines } from "./receipt-draft.ts";
import { expectedLines, isUncounted, readRate, readReceiptLines } from "./receipt-form.ts";
import { ReceiptLines } from "./receipt-lines.tsx";
import { type OpenedDraft, useReceiptDraft } from "./use-receipt-draft.ts";
import { useScanning } from "./use-scanning.ts";

/** Receives what a purchase order waits for. */
export function ReceiveOrdered({ purchaseId }: { purchaseId: string }) {
  const found = useAdminQuery(["purchases", "record", purchaseId], (client) =>
    findPurchase(client, purchaseId),
  );
  // What was counted must not be replaced when the purchase order is read again.
  const [base, setBase] = useState<PurchaseRecord | null>(null);
  if (found.data && !base && !found.isFetching) setBase(found.data);
  const failure = readFailure("purchase order", found);
  if (base) return <ReceiveForm purchase={base} />;
  if (failure) return <RetryNote {...failure} />;
  if (found.data === null) return <p role="alert">This purchase order does not exist.</p>;
  return <Skeleton className="h-96" />;
}

/** Counts what arrived by its ISBN and books it in one step. An earlier count that wasn't booked is restored. */
export function ReceiveForm({ purchase }: { purchase: PurchaseRecord | null }) {
  const opened = useReceiptDraft(purchase?.id ?? null);
  const [isDiscarded, setIsDiscarded] = useState(false);
  if (!opened) return <Skeleton className="h-96" />;
  return (
    <CountingForm
      key={String(isDiscarded)}
      purchase={purchase}
      opened={isDiscarded ? { ...opened, draft: null } : opened}
      onDiscard={() => setIsDiscarded(true)}
    />
  );
}

type CountingFormProps = { purchase: PurchaseRecord | null; opened: OpenedDraft; onDiscard: () => void };

function CountingForm({ purchase, opened: { draft, isKept }, onDiscard }: CountingFormProps) {
  const purchaseId = purchase?.id ?? null;
  // The same for every attempt, so that a retry after a lost response books nothing twice.
  const [id] = useState(() => draft?.id ?? newUuid());
  const { lines, scans, change, fillIn, remove } = useScanning(
    restoredLines(purchase ? expectedLines(purchase) : [], draft?.lines ?? []),
  );
  const [chosen, setChosen] = useState<string>(draft?.currency ?? "GHS");
  const [typedRate, setTypedRate] = useState(draft?.rate ?? "");
  const [note, setNote] = useState(draft?.note ?? "");
  const [submitted, setSubmitted] = useState(false);
  const navigate = useNavigate();
  const form = useRef<HTMLDivElement>(null);

  const currency = purchase?.currency ?? chosen;
  const rate = currency === "GHS" ? 1 : readRate(typedRate);
  const { read, wrong } = readReceiptLines(lines);
  const problem =
    scans.waiting > 0
      ? "Some scans are still being looked up. Try again in a moment."
      : wrong.size > 0
        ? "Check the marked lines. Numbers must be whole, from 0 to 99,999."
        : read.length === 0
          ? "Count at least one copy."
          : null;
  const copies = read.reduce((sum, line) => sum + line.copies, 0);

  const book = useAdminMutation({
    run: (client, values: ReceiptValues) => bookReceipt(client, id, values),
    success: (_, { lines }) => ({
      title: "Received",
      description: `${countOf(
        lines.reduce((sum, line) => sum + line.copies, 0),
        "copy",
        "copies",
      )} in stock`,
    }),
    failure: "Failed to book the receipt",
    onSuccess: () => {
      if (isKept) receiptDraft(purchaseId).remove();
      void navigate("/admin/receiving");
    },
  });
  const isCounted = read.length > 0 || wrong.size > 0;
  useEffect(() => {
    if (!isKept) return;
    const stored = receiptDraft(purchaseId);
    if (isCounted)
      stored.write({ id, lines, currency: chosen, rate: typedRate, note, changedAt: Date.now() });
    else stored.remove();
  }, [isKept, purchaseId, isCounted, id, lines, chosen, typedRate, note]);
  const { question } = useUnsavedChanges(isCounted && !isKept && !book.isPending);

  function submit() {
    // The first wrong field is marked only then.
    flushSync(() => setSubmitted(true));
    if (problem !== null || rate === null) {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    if (book.isPending) return;
    book.mutate({
      lines: read,
      purchase: purchase && { id: purchase.id, version: purchase.version },
      currency,
      rate,
      note,
    });
  }

  // After the last scan, the button is many fields away. Barcode scanners never send this key.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the button below
    <div ref={form} className="flex flex-col gap-6" onKeyDown={onKeyDown}>
      {draft && <RestoredNote changedAt={draft.changedAt} onDiscard={onDiscard} />}
      {purchase && (
        <p className="wrap-anywhere">
          {purchase.reference} from <bdi>{purchase.supplier_name}</bdi>
        </p>
      )}
      <ScanBox
        label="Scan or type an ISBN"
        hint="Each scan counts one copy. You can also type counts below. Ctrl+Enter books the receipt."
        action="Count"
        {...scans}
      />
      {lines.some(isUncounted) && (
        <div>
          <Button variant="secondary" size="small" onClick={fillIn}>
            Fill In Expected Copies
          </Button>
          <p className="mt-1 text-13 text-muted">
            Use this if everything you haven't counted arrived as ordered.
          </p>
        </div>
      )}
      {lines.length > 0 && (
        <ReceiptLines
          lines={lines}
          currency={currency}
          isOrdered={purchase !== null}
          wrong={submitted ? wrong : new Set()}
          onChange={change}
          onRemove={remove}
        />
      )}
      <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
        {!purchase && (
          <SelectField
            label="Currency of the costs"
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          >
            {Object.entries(CURRENCIES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        {currency !== "GHS" && (
          <InputField
            label={`Today's rate: cedis per ${currency}`}
            inputMode="decimal"
            autoComplete="off"
            value={typedRate}
            error={submitted && rate === null ? "Enter the day's rate, such as 14.25" : null}
            onChange={({ target }) => setTypedRate(target.value)}
          />
        )}
        <TextareaField
          label="Note (optional)"
          rows={2}
          maxLength={2000}
          hint="For example, the delivery note number or books that the shop doesn't have"
          className="sm:col-span-2"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
      <BottomBar problem={submitted ? problem : null}>
        <Button busy={book.isPending} aria-keyshortcuts="Control+Enter Meta+Enter" onClick={submit}>
          Book Receipt
        </Button>
        <p className="figures text-13 text-muted">
          {countOf(copies, "copy", "copies")} to add to stock
          {isCounted && isKept && ". Until then, your count stays in this browser."}
        </p>
      </BottomBar>
      {question}
    </div>
  );
}

/** Says that an earlier count was restored, and discards it on request. */
function RestoredNote({ changedAt, onDiscard }: { changedAt: number; onDiscard: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Callout>
      <p>
        Here is your count of {formatMinute(new Date(changedAt).toISOString())}. It hasn't been booked yet.
      </p>
      <Button variant="secondary" size="small" className="mt-2" onClick={() => setIsAsking(true)}>
        Start Again
      </Button>
      <ConfirmDialog
        open={isAsking}
        question="Discard this count?"
        confirmLabel="Discard"
        onConfirm={onDiscard}
        onClose={() => setIsAsking(false)}
      >
        <p>It hasn't been booked.</p>
      </ConfirmDialog>
    </Callout>
  );
}
