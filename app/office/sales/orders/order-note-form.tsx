import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { addOrderNote } from "./order.admin-queries.ts";

/** Adds a note to an order's history, which its customer never sees. */
export function OrderNoteForm({ orderId }: { orderId: string }) {
  const add = useAdminMutation({
    run: (client, { id, note }: { id: string; note: string }) => addOrderNote(client, orderId, id, note),
    success: () => ({ title: "Note added" }),
    failure: "Failed to add the note",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      change("note", "");
      kept.forget();
    },
  });
  const { values, change, field, formProps, kept } = useKeptForm({
    kept: `order note ${orderId}`,
    fields: { note: "" },
    send: ({ note }, { attempt }) => note.trim() && !add.isPending && add.mutate({ id: attempt, note }),
  });
  const isEmpty = values.note.trim() === "";

  return (
    <form {...formProps} data-unsaved={isEmpty ? undefined : true} className="mt-3">
      <KeptNote kept={kept} />
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
