import { zodResolver } from "@hookform/resolvers/zod";
import { useId, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { RetryNote } from "#app/components/retry-note.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import { useUnsavedChanges } from "#app/components/unsaved-changes.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { type BookRecord, findBookRecord } from "./book.admin-queries.ts";
import { BookFields } from "./book-fields.tsx";
import {
  type BookField,
  type BookFormInput,
  type BookValues,
  bookFieldLabels,
  bookFormInput,
  bookFormSchema,
} from "./book-form.ts";
import { saveBook } from "./save-book.ts";

export type BookTarget = { mode: "add" } | { mode: "edit"; id: string };

type BookDialogProps = { target: BookTarget; publishers: string[]; onClose: () => void };

/** 'Add New Book' or 'Edit Book'. In edit mode the book is read anew, so that the form starts from what is stored. */
export function BookDialog({ target, publishers, onClose }: BookDialogProps) {
  // The window that shows the form takes the place of the one that waits for the book.
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
  // While somebody types, the book is not exchanged under his hands: saving finds out what has changed.
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
  const [base, setBase] = useState(loaded);
  const [changed, setChanged] = useState<BookField[]>([]);
  const form = useForm<BookFormInput, unknown, BookValues>({
    resolver: zodResolver(bookFormSchema),
    defaultValues: bookFormInput(loaded),
  });
  const { guard, question } = useUnsavedChanges(form.formState.isDirty);

  const save = useAdminMutation({
    run: (client, values: BookValues) => saveBook(client, base, values),
    success: (outcome) =>
      outcome.kind === "saved"
        ? { title: loaded ? "Book updated successfully" : "Book added successfully" }
        : null,
    failure: "Failed to save book",
    failureWithReason: true,
    onSuccess: (outcome) => {
      if (outcome.kind === "saved") onClose();
      if (outcome.kind === "gone")
        showToast("error", "Failed to save book: This book has been deleted meanwhile.");
      if (outcome.kind === "changed") {
        setBase(outcome.current);
        setChanged(outcome.fields);
        showToast("error", "Failed to save book: Somebody else has changed it meanwhile.");
      }
    },
  });

  return (
    <Dialog
      open
      onClose={() => guard(onClose)}
      opener={opener}
      staysOnOutsidePress={form.formState.isDirty}
      title={loaded ? "Edit Book" : "Add New Book"}
      size="large"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={save.isPending}>
            {loaded ? "Update Book" : "Add Book"}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={form.handleSubmit((values) => save.mutate(values))}>
        {changed.length > 0 && base && <ChangedMeanwhile fields={changed} current={base} />}
        <BookFields form={form} publishers={publishers} bookId={loaded?.id ?? null} />
      </form>
      {question}
    </Dialog>
  );
}

/** What somebody else has saved while this form was open; what is typed here stays. */
function ChangedMeanwhile({ fields, current }: { fields: BookField[]; current: BookRecord }) {
  const stored = bookFormInput(current);
  return (
    <div role="alert" className="mb-4 rounded-card border border-gold bg-gold-tint px-4 py-3 text-gold-ink">
      <p className="font-semibold">
        Somebody else has changed this book while you were editing it. It now says:
      </p>
      <dl className="my-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
        {fields.map((field) => (
          <div key={field} className="contents">
            <dt>{bookFieldLabels[field]}</dt>
            <dd className="figures font-semibold break-words">{stored[field] || "empty"}</dd>
          </div>
        ))}
      </dl>
      <p>Your entries are kept. Update Book saves them over the above; Cancel leaves the book as it is.</p>
    </div>
  );
}
