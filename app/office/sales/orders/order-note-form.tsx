import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { addOrderNote } from "./order.admin-queries.ts";

/** Adds a note to an order's history, which its customer never sees. */
export function OrderNoteForm({ orderId }: { orderId: string }) {
  // The same for every attempt, so that a retry after a lost response does not add the note twice.
  const [noteId, setNoteId] = useState(newUuid);
  const add = useAdminMutation({
    run: (client, body: string) => addOrderNote(client, orderId, noteId, body),
    success: () => ({ title: "Note added" }),
    failure: "Failed to add the note",
    onSuccess: () => {
      change("note", "");
      setNoteId(newUuid());
    },
  });
  const { values, change, field, formProps } = useForm({
    fields: { note: "" },
    send: ({ note }) => note.trim() && !add.isPending && add.mutate(note),
  });
  const isEmpty = values.note.trim() === "";

  return (
    <form {...formProps} data-unsaved={isEmpty ? undefined : true} className="mt-3">
      <TextareaField
        label="Note for staff"
        rows={2}
        maxLength={2000}
        hint="Customers never see it."
        {...field("note")}
      />
      <Button
        type="submit"
        variant="secondary"
        size="small"
        className="mt-2"
        busy={add.isPending}
        disabled={isEmpty}
      >
        Add note
      </Button>
    </form>
  );
}
