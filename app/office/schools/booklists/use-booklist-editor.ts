import { useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import type { BooklistStatus } from "#app/features/booklists/booklist.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useKept } from "#app/office/frame/use-kept.ts";
import {
  type BooklistRecord,
  readBooklist,
  saveBooklist,
  setBooklistStatus,
} from "./booklist.admin-queries.ts";
import {
  type BooklistDraft,
  type DraftLine,
  draftOf,
  hasProblems,
  isSameDraft,
  newDraft,
  readDraft,
} from "./booklist-draft.ts";

type Stored = Pick<BooklistRecord, "code" | "status" | "updated_at">;

const statusMessages: Record<BooklistStatus, string> = {
  draft: "Booklist is a draft again",
  published: "Booklist published",
  withdrawn: "Booklist withdrawn",
};

type SaveRequest = {
  draft: BooklistDraft;
  version: string | null;
  status: BooklistStatus | null;
  hasChanges: boolean;
};

/** Saves any changes, then sets the status if one is given, and reads the current list. */
async function save(client: BackendClient, { draft, version, status, hasChanges }: SaveRequest) {
  let current = { id: draft.id, updated_at: version ?? "" };
  if (hasChanges || version === null) current = await saveBooklist(client, readDraft(draft).input, version);
  if (status) await setBooklistStatus(client, current, status);
  return readBooklist(client, draft.id);
}

const textsOf = ({ id: _, ...texts }: BooklistDraft) => texts;

/** The editor's state and the actions of its buttons. */
export function useBooklistEditor(loaded: BooklistRecord | null) {
  const navigate = useNavigate();
  const [base, setBase] = useState(() => (loaded ? draftOf(loaded) : newDraft(new Date())));
  const [stored, setStored] = useState<Stored | null>(loaded);
  const [draft, setDraft] = useState(base);
  const [submitted, setSubmitted] = useState(false);
  /** The version that someone else has saved in the meantime. */
  const [conflict, setConflict] = useState<string | null>(null);
  const { problems } = readDraft(draft);
  const dirty = !isSameDraft(base, draft);
  const kept = useKept({
    name: `booklist ${loaded?.id ?? "new"}`,
    start: textsOf(base),
    values: textsOf(draft),
    version: stored?.updated_at ?? "new",
    attempt: draft.id,
    restore(texts, id) {
      // A new list was perhaps stored under the id that it had.
      const own = stored === null ? { id } : {};
      setBase((now) => ({ ...now, ...own }));
      setDraft((now) => ({ ...now, ...texts, ...own }));
    },
  });

  const saving = useAdminMutation({
    run: save,
    success: (_, { status }) => ({ title: status ? statusMessages[status] : "Booklist saved" }),
    failure: "Failed to save booklist",
    failureWithReason: true,
    onSuccess: (list, request) => {
      if (!list) return;
      const saved = draftOf(list);
      kept.forget();
      setBase(saved);
      setStored(list);
      setConflict(null);
      setSubmitted(false);
      // Anything typed since Save was clicked stays; the lines get their new ids.
      setDraft((now) =>
        now === request.draft
          ? saved
          : { ...now, lines: withSavedIds(now.lines, request.draft.lines, saved.lines) },
      );
      if (stored === null) navigate(`/admin/booklists/${list.id}`, { replace: true });
    },
  });

  function submit(status: BooklistStatus | null, version: string | null = stored?.updated_at ?? null) {
    setSubmitted(true);
    if (hasProblems(problems)) {
      showToast("error", "Please correct the marked fields.");
      return;
    }
    // Otherwise the list would be saved but not published.
    if (status === "published" && draft.lines.length === 0) {
      showToast("error", "Add at least one line before you publish.");
      return;
    }
    saving.mutate(
      { draft, version, status, hasChanges: dirty },
      {
        onError: (error) => {
          if (isBackendFailure(error) && error.code === "booklist_changed")
            setConflict(String(error.facts.updated_at));
        },
      },
    );
  }

  return {
    draft,
    stored,
    dirty,
    kept,
    conflict,
    problems: submitted ? problems : { copies: new Set<string>() },
    isSaving: saving.isPending,
    submit,
    change: (changes: Partial<BooklistDraft>) => setDraft((now) => ({ ...now, ...changes })),
    changeLines: (change: (lines: DraftLine[]) => DraftLine[]) =>
      setDraft((now) => ({ ...now, lines: change(now.lines) })),
  };
}

export type BooklistEditorState = ReturnType<typeof useBooklistEditor>;

/** The current lines, with the ids under which the sent ones were saved. */
function withSavedIds(now: DraftLine[], sent: DraftLine[], saved: DraftLine[]): DraftLine[] {
  const ids = new Map(sent.map(({ key }, at) => [key, saved[at]?.id ?? null]));
  return now.map((line) => ({ ...line, id: line.id ?? ids.get(line.key) ?? null }));
}
