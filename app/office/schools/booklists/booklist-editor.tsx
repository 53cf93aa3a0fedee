import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { booklistAddress, formatBooklistCode } from "#app/features/booklists/booklist-code.ts";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { useStaff } from "#app/office/frame/duties.tsx";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { AddLine } from "./add-line.tsx";
import type { BooklistRecord } from "./booklist.admin-queries.ts";
import { BooklistActions } from "./booklist-actions.tsx";
import { MAX_LINES, withLines } from "./booklist-draft.ts";
import { BooklistFields } from "./booklist-fields.tsx";
import { BooklistSales } from "./booklist-sales.tsx";
import { BooklistStatusBadge } from "./booklist-status-badge.tsx";
import { LineList } from "./line-list.tsx";
import { PasteLines } from "./paste-lines.tsx";
import { useBooklistEditor } from "./use-booklist-editor.ts";

type BooklistEditorProps = {
  /** Null for a new list. */
  loaded: BooklistRecord | null;
  /** Discards unsaved input and reads the list again. */
  onReload: () => void;
};

export function BooklistEditor({ loaded, onReload }: BooklistEditorProps) {
  const { isAdmin } = useStaff();
  const editor = useBooklistEditor(loaded);
  const { draft, stored, conflict, changeLines } = editor;
  const { question } = useUnsavedChanges(editor.dirty, { links: true, kept: editor.kept });
  return (
    <AdminPage
      title={
        stored ? (
          <JoinedTexts texts={[draft.school || "Booklist", draft.class_name]} separator=", " />
        ) : (
          "New booklist"
        )
      }
      actions={
        <Button busy={editor.isSaving} onClick={() => editor.submit(null)}>
          Save
        </Button>
      }
    >
      <p className="-mt-2 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to="/admin/booklists" className="inline-flex min-h-11 items-center">
          All booklists
        </Link>
        {stored && (
          <>
            <BooklistStatusBadge status={stored.status} />
            <span className="figures">Code {formatBooklistCode(stored.code)}</span>
          </>
        )}
        {stored?.status === "published" && (
          <a
            href={booklistAddress(stored.code)}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center"
          >
            Open the parents' page
          </a>
        )}
        <span className="text-muted" role="status">
          {editor.dirty ? "Unsaved changes" : stored && "All changes saved"}
        </span>
      </p>
      <KeptNote kept={editor.kept} />
      {conflict && (
        <div
          role="alert"
          className="mb-4 rounded-card border border-gold bg-gold-tint px-4 py-3 text-gold-ink"
        >
          <p className="mb-2 font-semibold">
            Someone else has saved this booklist while you were editing it.
          </p>
          <p className="mb-3">What you've typed is kept until you decide.</p>
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              onClick={() => {
                editor.kept.forget();
                onReload();
              }}
            >
              Load their version
            </Button>
            <Button variant="secondary" onClick={() => editor.submit(null, conflict)}>
              Save mine over it
            </Button>
          </div>
        </div>
      )}
      <BooklistFields editor={editor} />
      <section aria-labelledby="lines" className="mt-6">
        <h2 id="lines" className="mb-1 text-20">
          Books
        </h2>
        <p className="mb-3 text-muted">
          {countOf(draft.lines.length, "line")} of at most {MAX_LINES}
        </p>
        <AddLine onAdd={(line) => changeLines((lines) => withLines(lines, [line]))} lines={draft.lines} />
        <PasteLines
          listId={loaded?.id ?? "new"}
          lines={draft.lines}
          onAdd={(added) => changeLines((lines) => withLines(lines, added))}
        />
        <LineList editor={editor} />
      </section>
      <BooklistActions editor={editor} />
      {stored && stored.status !== "draft" && <BooklistSales id={draft.id} lines={draft.lines} />}
      {stored && isAdmin && (
        <p className="mt-6">
          <Link
            to={`/admin/activity?table=booklists&q=${draft.id}`}
            className={buttonClass({ variant: "quiet", className: "-ml-4" })}
          >
            Changes in Activity
          </Link>
        </p>
      )}
      {question}
    </AdminPage>
  );
}
