import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { Fact } from "#app/components/fact.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { addLicenceCodes, type DigitalContent, withdrawFreeCodes } from "./digital.admin-queries.ts";
import { batchesOf, listOf, readCodes } from "./read-codes.ts";

type CodeBoxProps = { bookId: string; title: string; codes: DigitalContent["codes"] };

/** Counts licence codes, and has a box to paste more. It never shows a code. */
export function CodeBox({ bookId, title, codes }: CodeBoxProps) {
  return (
    <>
      <dl className="figures grid grid-cols-3 gap-4">
        <Fact name="Free" className="text-20">
          {codes.free.toLocaleString("en-GB")}
        </Fact>
        <Fact name="Held for unpaid orders" className="text-20">
          {codes.held.toLocaleString("en-GB")}
        </Fact>
        <Fact name="Sent to customers" className="text-20">
          {codes.given.toLocaleString("en-GB")}
        </Fact>
      </dl>
      <AddCodes bookId={bookId} />
      {codes.free > 0 && <Withdraw bookId={bookId} title={title} free={codes.free} />}
    </>
  );
}

type Added = { added: number; known: number; duplicates: readonly string[] };

function AddCodes({ bookId }: { bookId: string }) {
  const [result, setResult] = useState<Added | null>(null);
  const [sent, setSent] = useState(0);
  const add = useAdminMutation({
    async run(client, { codes, duplicates }: { codes: string[]; duplicates: readonly string[] }) {
      const sum = { added: 0, known: 0, duplicates };
      setSent(0);
      for (const batch of batchesOf(codes)) {
        const { added, known } = await addLicenceCodes(client, bookId, batch);
        sum.added += added;
        sum.known += known;
        setSent(sum.added + sum.known);
      }
      return sum;
    },
    success: () => null,
    failure: "Not all codes were added. Add the same list again: no code is added twice.",
    onSuccess: setResult,
    long: true,
  });
  const form = useForm({
    fields: { codes: "" },
    rules: ({ codes: text }) => {
      const { codes, problem } = readCodes(text);
      return { codes: problem ?? (codes.length === 0 ? "Paste at least one code" : null) };
    },
    onChange: () => setResult(null),
    async send({ codes: text }) {
      setResult(null);
      const { codes, duplicates } = readCodes(text);
      await add.mutateAsync({ codes, duplicates }).then(
        () => form.setValues({ codes: "" }),
        // The mutation shows why it failed; the list stays.
        () => undefined,
      );
    },
  });
  const typed = readCodes(form.values.codes).codes.length;
  const { question } = useUnsavedChanges(form.values.codes.trim() !== "");
  return (
    <form {...form.formProps} className="mt-5 max-w-2xl">
      <TextareaField
        label="Add codes"
        hint="One per line, from a text or a column of a spreadsheet."
        spellCheck={false}
        autoComplete="off"
        rows={8}
        {...form.field("codes")}
      />
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <Button type="submit" busy={form.busy}>
          Add Codes
        </Button>
        <p role="status" className="figures min-h-6 text-muted">
          {form.busy
            ? `${sent.toLocaleString("en-GB")} of ${countOf(typed, "code")} sent`
            : typed > 0 && countOf(typed, "code")}
        </p>
      </div>
      {result && (
        <div className="mt-3">
          <Callout tone={result.added > 0 ? "success" : "warning"} scrollsIntoView>
            <p className="font-semibold">{countOf(result.added, "code")} added.</p>
            {result.known > 0 && (
              <p>
                {countOf(result.known, "code")} {result.known === 1 ? "was" : "were"} already here, or had
                been sent to a customer.
              </p>
            )}
            {result.duplicates.length > 0 && (
              <p className="wrap-anywhere">
                More than once in your list, and added once: {listOf(result.duplicates)}.
              </p>
            )}
          </Callout>
        </div>
      )}
      {question}
    </form>
  );
}

function Withdraw({ bookId, title, free }: { bookId: string; title: string; free: number }) {
  const [asking, setAsking] = useState(false);
  const withdraw = useAdminMutation({
    run: (client) => withdrawFreeCodes(client, bookId),
    success: (codes) => ({ title: `${countOf(codes, "code")} withdrawn` }),
    failure: "Failed to withdraw the codes",
  });
  return (
    <div className="mt-6 border-t border-line pt-4">
      <Button variant="quiet-danger" busy={withdraw.isPending} onClick={() => setAsking(true)}>
        Withdraw Free Codes
      </Button>
      <ConfirmDialog
        open={asking}
        question={`Withdraw ${countOf(free, "free code")}?`}
        confirmLabel="Withdraw Codes"
        onConfirm={() => withdraw.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <p className="font-semibold text-ink">{title}</p>
        <p>
          They are deleted, and the title can't be sold until you add others. Codes in orders are not
          affected.
        </p>
      </ConfirmDialog>
    </div>
  );
}
