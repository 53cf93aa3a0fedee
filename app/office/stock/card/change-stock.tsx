import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField, SelectField } from "#app/components/field.tsx";
import { LONGEST_NOTE, readReason, reasonsFor } from "#app/office/catalogue/books/stock-reasons.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { countOf } from "#shared/text/count-of.ts";
import { changeStock } from "./stock.admin-queries.ts";

type ChangeStockProps = { book: { id: string; title: string; stock_quantity: number } };

/** Adds copies to a book's stock or takes some out, with the reason. */
export function ChangeStock({ book }: ChangeStockProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" className="print:hidden" onClick={() => setOpen(true)}>
        Change Stock
      </Button>
      {open && <ChangeStockDialog book={book} onClose={() => setOpen(false)} />}
    </>
  );
}

const directions = [
  ["More copies", 1],
  ["Fewer copies", -1],
] as const;

/** The typed copies, negative for fewer, and the reason; null if missing or invalid. */
function readChange({ what, copies }: { what: string; copies: string }) {
  const [sign = "", chosen = ""] = what.split(" ");
  const number = /^\d{1,7}$/.test(copies.trim()) ? Number(copies) : 0;
  const signed = number > 0 ? number * Number(sign) : null;
  return { copies: signed, reason: readReason(chosen, Number(sign)) };
}

function ChangeStockDialog({ book, onClose }: ChangeStockProps & { onClose: () => void }) {
  const change = useAdminMutation({
    run: (client, typed: Parameters<typeof changeStock>[1]) => changeStock(client, typed),
    success: (left) => ({
      title: "Stock changed",
      description: `${countOf(left, "copy", "copies")} in stock`,
    }),
    failure: "Failed to change the stock",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { values, dirty, field, formProps, kept } = useKeptForm({
    kept: `stock ${book.id}`,
    fields: { what: "", copies: "", note: "" },
    rules(typed) {
      const read = readChange(typed);
      const left = book.stock_quantity + (read.copies ?? 0);
      return {
        what: read.reason ? null : "Choose why the stock has changed",
        copies:
          read.copies === null && read.reason
            ? "Enter a number of copies, such as 2"
            : left < 0
              ? `There are only ${book.stock_quantity} in stock`
              : null,
      };
    },
    send(typed, { attempt }) {
      const { copies, reason } = readChange(typed);
      if (copies !== null && reason)
        change.mutate({ changeId: attempt, bookId: book.id, copies, reason, note: typed.note });
    },
  });
  const { copies } = readChange(values);
  const left = book.stock_quantity + (copies ?? 0);
  return (
    <FormDialog title="Change stock" dirty={dirty} kept={kept} onClose={onClose}>
      <form {...formProps} className="grid gap-4">
        <p className="wrap-anywhere">
          {book.title}: {countOf(book.stock_quantity, "copy", "copies")} in stock
        </p>
        <SelectField label="Why" {...field("what")}>
          <option value="">Choose a reason</option>
          {directions.map(([label, sign]) => (
            <optgroup key={label} label={label}>
              {reasonsFor(sign).map((reason) => (
                <option key={reason.value} value={`${sign} ${reason.value}`}>
                  {reason.value === "correction" ? `Correction: ${label.toLowerCase()}` : reason.label}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
        <InputField
          label="Copies"
          inputMode="numeric"
          autoComplete="off"
          hint={copies !== null && left >= 0 ? `${countOf(left, "copy", "copies")} afterwards` : undefined}
          {...field("copies")}
        />
        <InputField label="Note" maxLength={LONGEST_NOTE} hint="Only staff see it." {...field("note")} />
        <Button type="submit" busy={change.isPending}>
          Change Stock
        </Button>
      </form>
    </FormDialog>
  );
}
