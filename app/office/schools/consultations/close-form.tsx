import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { closeConsultation } from "./consultation.admin-queries.ts";
import type { EditorProps } from "./consultation-editor.tsx";

/** Closes a consultation with a note for staff. */
export function CloseForm({ consultation, onSaved }: EditorProps) {
  const close = useAdminMutation({
    run: (client, note: string) => closeConsultation(client, consultation, note),
    success: () => ({ title: "Consultation closed" }),
    failure: "Failed to close the consultation",
    onSuccess: (version) => {
      kept.forget();
      onSaved(version);
    },
  });
  const { field, formProps, kept } = useKeptForm({
    kept: `consultation note ${consultation.id}`,
    fields: { note: consultation.staff_note ?? "" },
    send: ({ note }) => close.mutate(note),
  });
  return (
    <form {...formProps} className="grid max-w-3xl border-t border-line pt-6 justify-items-start gap-3">
      <KeptNote kept={kept} className="w-full" />
      <TextareaField
        className="w-full"
        label="Note (only for staff)"
        rows={3}
        maxLength={2000}
        {...field("note")}
      />
      <Button type="submit" variant="secondary" busy={close.isPending}>
        Close Consultation
      </Button>
    </form>
  );
}
