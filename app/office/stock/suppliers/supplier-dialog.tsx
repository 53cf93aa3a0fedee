import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { Check, RowDialog } from "#app/office/frame/row-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { CURRENCIES } from "./currencies.ts";
import { type SupplierRow, saveSupplier } from "./supplier.admin-queries.ts";
import { findErrors, limits, type SupplierForm, supplierForm, supplierValues } from "./supplier-form.ts";

/** Adds a supplier, or changes the loaded one. */
export function SupplierDialog({ loaded, onClose }: { loaded: SupplierRow | null; onClose: () => void }) {
  const save = useAdminMutation({
    run: (client, { id, ...form }: SupplierForm & { id: string }) =>
      saveSupplier(client, id, supplierValues(form), loaded),
    success: (_, { name }) => ({ title: loaded ? `${name.trim()} saved` : `${name.trim()} added` }),
    failure: "Failed to save the supplier",
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { dirty, values, change, field, formProps, kept } = useKeptForm<SupplierForm>({
    kept: `supplier ${loaded?.id ?? "new"}`,
    fields: supplierForm(loaded),
    rules: findErrors,
    send: (typed, { attempt }) => save.mutate({ ...typed, id: loaded?.id ?? attempt }),
  });
  return (
    <RowDialog
      noun="supplier"
      isNew={loaded === null}
      dirty={dirty}
      kept={kept}
      busy={save.isPending}
      formProps={formProps}
      onClose={onClose}
    >
      <InputField
        label="Name"
        required
        autoComplete="off"
        maxLength={limits.name}
        className="sm:col-span-2"
        {...field("name")}
      />
      <InputField
        label="Contact person (optional)"
        autoComplete="off"
        maxLength={limits.contact_name}
        className="sm:col-span-2"
        {...field("contact_name")}
      />
      <InputField
        label="Email address (optional)"
        type="email"
        autoComplete="off"
        maxLength={limits.email}
        {...field("email")}
      />
      <InputField
        label="Phone number (optional)"
        type="tel"
        autoComplete="off"
        maxLength={limits.phone}
        {...field("phone")}
      />
      <SelectField
        label="Currency"
        hint={loaded && loaded.purchase_orders > 0 ? "Earlier purchase orders keep theirs." : undefined}
        {...field("currency")}
      >
        {Object.entries(CURRENCIES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <InputField
        label="Usual discount, % (optional)"
        inputMode="decimal"
        autoComplete="off"
        hint="Off its list prices"
        {...field("discount")}
      />
      <InputField
        label="Days to deliver (optional)"
        inputMode="numeric"
        autoComplete="off"
        hint="From the order to the delivery"
        {...field("delivery_days")}
      />
      <TextareaField
        label="Terms (optional)"
        rows={2}
        maxLength={limits.terms}
        hint="When and how we pay, returns"
        className="sm:col-span-2"
        {...field("terms")}
      />
      <Check
        label="Hidden: not offered for new purchase orders"
        className="sm:col-span-2"
        checked={values.hidden}
        onChange={(checked) => change("hidden", checked)}
      />
    </RowDialog>
  );
}
