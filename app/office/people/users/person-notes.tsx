import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { addPersonNote, type Newest } from "./person.admin-queries.ts";
import { MoreOf } from "./person-rows.tsx";

type Notes<Row> = Newest<Row & { id: string; body: string; by_name: string | null }>;

type NoteListProps<Row> = {
  notes: Notes<Row>;
  /** What a note is about, before its time. */
  about?: (note: Row) => ReactNode;
};

/** Staff's notes, the newest first, with who wrote them and when. */
export function NoteList<Row>({ notes, about }: NoteListProps<Row>) {
  if (notes.count === 0) return <p className="text-muted">No notes</p>;
  return (
    <>
      <ul className="grid gap-3">
        {notes.rows.map((note) => (
          <li key={note.id}>
            <p className="wrap-anywhere whitespace-pre-line">
              <bdi>{note.body}</bdi>
            </p>
            <p className="figures text-13 text-muted">
              {about && <>{about(note)}, </>}
              <time dateTime={note.created_at}>{formatMinute(note.created_at)}</time>
              {note.by_name && (
                <>
                  {" "}
                  by <bdi>{note.by_name}</bdi>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <MoreOf list={notes} />
    </>
  );
}

/** Adds a note about a person, who never sees it. */
export function NoteForm({ userId }: { userId: string }) {
  const add = useAdminMutation({
    run: (client, { id, note }: { id: string; note: string }) => addPersonNote(client, userId, id, note),
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
    kept: `person note ${userId}`,
    fields: { note: "" },
    send: ({ note }, { attempt }) => note.trim() && !add.isPending && add.mutate({ id: attempt, note }),
  });
  const isEmpty = values.note.trim() === "";
  const { question } = useUnsavedChanges(!isEmpty, { links: true, kept });
  return (
    <form {...formProps} className="mt-4">
      <KeptNote kept={kept} />
      <TextareaField
        label="Note for staff"
        rows={3}
        maxLength={2000}
        hint="The person never sees it. It is deleted when they are forgotten."
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
      {question}
    </form>
  );
}
