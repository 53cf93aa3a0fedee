import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { newUuid } from "#app/lib/new-uuid.ts";
import { addOrderNote } from "./order.admin-queries.ts";

/** Adds a note to an order's history, which its customer never sees. */
export function OrderNoteForm({ orderId }: { orderId: string }) {
  const [body, setBody] = useState("");
  // The same for every attempt, so that a retry after a lost response does not add the note twice.
  const [noteId, setNoteId] = useState(newUuid);
  const add = useAdminMutation({
    run: (client) => addOrderNote(client, orderId, noteId, body),
    success: () => ({ title: "Note added" }),
    failure: "Failed to add the note",
    onSuccess: () => {
      setBody("");
      setNoteId(newUuid());
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (body.trim() && !add.isPending) add.mutate(undefined);
  }

  return (
    <form onSubmit={submit} data-unsaved={body.trim() ? true : undefined} className="mt-3">
      <TextareaField
        label="Note for staff"
        rows={2}
        maxLength={2000}
        hint="Customers never see it."
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      <Button
        type="submit"
        variant="secondary"
        size="small"
        className="mt-2"
        busy={add.isPending}
        disabled={!body.trim()}
      >
        Add note
      </Button>
    </form>
  );
}
