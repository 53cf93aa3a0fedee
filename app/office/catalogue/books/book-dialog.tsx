import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import { type BookField, bookFieldLabel, bookFieldNames } from "#app/features/books/book-fields.ts";
import { serverMessage } from "#app/lib/backend/staff-message.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { type BookRecord, findBookRecord } from "./book.admin-queries.ts";
import { bookFormInput } from "./book-form.ts";
import { BookFormFields } from "./book-form-fields.tsx";
import { digitalPath } from "./book-paths.ts";
import type { PublisherNames } from "./publisher-statistics.tsx";
import { saveBook } from "./save-book.ts";
import { type BookEdit, useBookForm } from "./use-book-form.ts";

export type BookTarget = { mode: "add" } | { mode: "edit"; id: string };

type BookDialogProps = { target: BookTarget; publishers: PublisherNames; onClose: () => void };

/**
 * 'Add New Book' or 'Edit Book'. In edit mode the book is read again, so that the form starts from the stored values.
 */
export function BookDialog({ target, publishers, onClose }: BookDialogProps) {
  // The form's dialog replaces the one that is loading the book.
  const [opener] = useState(() => document.activeElement);
  const shared = { publishers, onClose, opener };
  return target.mode === "add" ? (
    <BookForm loaded={null} {...shared} />
  ) : (
    <EditBook id={target.id} {...shared} />
  );
}

type FormProps = Omit<BookDialogProps, "target"> & { opener: Element | null };

function EditBook({ id, ...shared }: { id: string } & FormProps) {
  const book = useAdminQuery(["books", "record", id], (client) => findBookRecord(client, id), {
    fresh: true,
  });
  // The book is not reloaded while someone is typing: saving detects what has changed.
  const [loaded, setLoaded] = useState<BookRecord | null>(null);
  if (!loaded && book.data && !book.isFetching) setLoaded(book.data);
  if (loaded) return <BookForm loaded={loaded} {...shared} />;

  const failure = readFailure("book", book);
  return (
    <Dialog open onClose={shared.onClose} opener={shared.opener} title="Edit Book" size="large">
      {failure && <RetryNote {...failure} />}
      {book.data === null && <p role="alert">This book no longer exists.</p>}
      {!failure && book.data !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          {["a", "b", "c", "d", "e", "f"].map((place) => (
            <Skeleton key={place} className="h-16" />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function BookForm({ loaded, publishers, onClose, opener }: { loaded: BookRecord | null } & FormProps) {
  const formId = useId();
  const navigate = useNavigate();
  const [base, setBase] = useState(loaded);
  const [refused, setRefused] = useState<BookField[]>([]);
  const save = useAdminMutation({
    run: (client, { values, because }: BookEdit) => saveBook(client, base, values, because),
    success: (outcome) =>
      outcome.kind === "saved"
        ? {
            title: loaded ? "Book updated successfully" : "Book added successfully",
            ...(outcome.others.length > 0 && {
              description: `Someone else changed other fields meanwhile. Their changes were kept: ${outcome.others.map(bookFieldLabel).join(", ")}`,
            }),
          }
        : null,
    failure: "Failed to save book",
    failureWithReason: true,
    reasonOf: serverMessage,
    onSuccess: (outcome, { values }) => {
      if (outcome.kind === "saved") {
        kept.forget();
        onClose();
        // Nobody can buy it before it has files or codes.
        if (values.kind === "digital" && loaded?.kind !== "digital") void navigate(digitalPath(outcome));
      }
      if (outcome.kind === "gone")
        showToast("error", "Failed to save book: This book has since been deleted.");
      if (outcome.kind === "changed") {
        follow(outcome.current);
        setBase(outcome.current);
        setRefused(outcome.fields);
        showToast("error", "Failed to save book: Someone else has since changed it.");
      }
    },
  });
  const { form, formProps, follow, kept } = useBookForm(loaded, base, save.mutate);
  // Of what is back, too, the user must have seen what someone else has saved since it was typed.
  const found = bookFieldNames.filter((name) => kept.backFrom !== null && name in kept.conflicts);
  const changed = refused.length > 0 ? refused : found;

  return (
    <FormDialog
      dirty={form.dirty}
      kept={kept}
      onClose={onClose}
      opener={opener}
      title={loaded ? "Edit Book" : "Add New Book"}
      size="large"
      footer={
        <>
          <Button
            variant="secondary"
            onClick={() => {
              kept.forget();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={save.isPending}>
            {loaded ? "Update Book" : "Add Book"}
          </Button>
        </>
      }
    >
      <form id={formId} {...formProps}>
        {changed.length > 0 && base && (
          <ChangedByOthers key={base.updated_at} fields={changed} current={base} />
        )}
        <BookFormFields form={form} publishers={publishers} stored={loaded} />
      </form>
    </FormDialog>
  );
}

/** The button that saves is far below it. */
const scrollToNote = (note: HTMLElement | null) => note?.scrollIntoView({ block: "center" });

/** What someone else saved of the fields that were edited here too; the input here is kept. */
function ChangedByOthers({ fields, current }: { fields: BookField[]; current: BookRecord }) {
  const stored = bookFormInput(current);
  return (
    <div
      role="alert"
      ref={scrollToNote}
      className="mb-4 rounded-card border border-gold bg-gold-tint px-4 py-3 text-gold-ink"
    >
      <p className="font-semibold">
        Someone else changed these fields while you were editing them. The current values are:
      </p>
      <dl className="my-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
        {fields.map((field) => (
          <div key={field} className="contents">
            <dt>{bookFieldLabel(field)}</dt>
            <dd className="figures font-semibold wrap-anywhere">{stored[field] || "empty"}</dd>
          </div>
        ))}
      </dl>
      <p>Your entries are kept. Update Book saves them over the above; Cancel leaves the book as it is.</p>
    </div>
  );
}
