import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField, SelectField } from "#app/components/field.tsx";
import { saveImportRecord } from "#app/office/catalogue/book-import/import-records.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { countOf } from "#shared/text/count-of.ts";
import { type BookFilters, stagePriceChange } from "./book.admin-queries.ts";

const steps = ["0.01", "0.05", "0.10", "0.50", "1", "5", "10"];

/** '5', '+5', '-2.5' or '7,5 %' in percent; null if it isn't a number. */
function readPercent(text: string): number | null {
  const bare = text.replace(/%|\s/g, "").replace("−", "-").replace(",", ".");
  return /^[+-]?\d{1,3}(\.\d{1,2})?$/.test(bare) ? Number(bare) : null;
}

type PriceChangeProps = {
  /** The books that the list shows. */
  filters: BookFilters;
  total: number | undefined;
};

/** Changes the prices of all books in the list; staff check the old and new prices first. */
export function PriceChange({ filters, total }: PriceChangeProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" disabled={!total} onClick={() => setOpen(true)}>
        Change Prices
      </Button>
      {open && total !== undefined && (
        <PriceChangeDialog filters={filters} total={total} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

type PriceChangeDialogProps = { filters: PriceChangeProps["filters"]; total: number; onClose: () => void };

function PriceChangeDialog({ filters, total, onClose }: PriceChangeDialogProps) {
  const navigate = useNavigate();
  const stage = useAdminMutation({
    run: (client, change: { percent: number; roundTo: number }) =>
      stagePriceChange(client, { ...change, ...filters }),
    success: () => null,
    failure: "Failed to work out the new prices",
    onSuccess: (id) => {
      kept.forget();
      saveImportRecord(id, true, []);
      navigate(`/admin/books/import?id=${id}`);
    },
    long: true,
  });
  const { dirty, field, formProps, kept } = useKeptForm({
    // Typed for these books: other filters mean other books.
    kept: `price change ${JSON.stringify(filters)}`,
    fields: { percent: "", roundTo: "0.50" },
    rules: ({ percent }) => {
      const read = readPercent(percent);
      return {
        percent: read === null || read === 0 || read < -90 ? "Enter a percentage, such as 5 or -2.5" : null,
      };
    },
    send: ({ percent, roundTo }) =>
      stage.mutate({ percent: readPercent(percent) ?? 0, roundTo: Number(roundTo) }),
  });
  const isAll = filters.q === "" && filters.publisher === "";
  return (
    <FormDialog title="Change prices" dirty={dirty && !stage.isSuccess} kept={kept} onClose={onClose}>
      <form {...formProps} className="grid gap-4">
        <p>
          {isAll ? `All ${countOf(total, "book")} in the shop` : countOf(total, "matching book")}. You will
          see each old and new price before anything changes.
        </p>
        <InputField
          label="Change in percent"
          inputMode="text"
          autoComplete="off"
          hint="For example, 5 to raise prices or -2.5 to lower them."
          {...field("percent")}
        />
        <SelectField label="Round to (GH₵)" {...field("roundTo")}>
          {steps.map((step) => (
            <option key={step}>{step}</option>
          ))}
        </SelectField>
        <Button type="submit" busy={stage.isPending}>
          {stage.isPending ? "Working out the prices…" : "Show New Prices"}
        </Button>
      </form>
    </FormDialog>
  );
}
