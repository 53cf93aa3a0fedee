import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { isPhone, PHONE_MALFORMED, writtenPhone } from "#shared/text/phone.ts";
import { correctPerson, type NameAndPhone, type Person } from "./person.admin-queries.ts";

/** Corrects a person's name and phone number; the message of success has Undo. */
export function CorrectDialog({ profile, onClose }: { profile: Person["profile"]; onClose: () => void }) {
  // The values when the dialog opened, so that someone else's later change isn't overwritten.
  const [seen] = useState<NameAndPhone>({ full_name: profile.full_name, phone: profile.phone });
  const undo = useAdminMutation({
    run: (client, corrected: NameAndPhone) => correctPerson(client, profile.id, corrected, seen),
    success: () => ({ title: "Correction undone" }),
    failure: "Failed to undo the correction",
  });
  const save = useAdminMutation({
    run: (client, corrected: NameAndPhone) => correctPerson(client, profile.id, seen, corrected),
    success: (_, corrected) => ({
      title: "Name and phone number corrected",
      action: { label: "Undo", onClick: () => undo.mutate(corrected) },
    }),
    failure: "Failed to correct the name and phone number",
    onSuccess: () => {
      form.kept.forget();
      onClose();
    },
  });
  const form = useKeptForm({
    kept: `person ${profile.id}`,
    fields: { name: seen.full_name ?? "", phone: seen.phone ?? "" },
    rules: ({ name, phone }) => ({
      name: name.trim() ? null : "Please enter the name.",
      phone: phone.trim() && !isPhone(phone) ? PHONE_MALFORMED : null,
    }),
    send: ({ name, phone }) =>
      save.mutate({
        // As the database writes them: Undo compares.
        full_name: name.trim().replace(/\s+/g, " "),
        phone: phone.trim() ? writtenPhone(phone) : null,
      }),
  });
  return (
    <FormDialog
      dirty={form.dirty}
      kept={form.kept}
      title="Correct name and phone number"
      description="Existing orders keep the name and phone number they were placed with."
      onClose={onClose}
      footer={
        <Button type="submit" form="correct-person" busy={save.isPending} disabled={!form.dirty}>
          Save
        </Button>
      }
    >
      <form {...form.formProps} id="correct-person" className="grid gap-4">
        <InputField label="Name" maxLength={200} autoComplete="off" {...form.field("name")} />
        <InputField
          label="Phone (optional)"
          type="tel"
          maxLength={40}
          autoComplete="off"
          {...form.field("phone")}
        />
      </form>
    </FormDialog>
  );
}
