import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { copyBooklist, deleteBooklist } from "./booklist.admin-queries.ts";
import { nextSchoolYear } from "./school-year.ts";
import type { BooklistEditorState } from "./use-booklist-editor.ts";

/** Save, publish, withdraw, copy for the next year, delete a draft. */
export function BooklistActions({ editor }: { editor: BooklistEditorState }) {
  const { draft, stored, dirty, isSaving, submit } = editor;
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState<"withdraw" | "delete" | null>(null);
  const nextYear = nextSchoolYear(draft.school_year);
  const copy = useAdminMutation({
    run: (client, id: string) => copyBooklist(client, id, nextYear),
    success: () => ({
      title: `Copied for ${nextYear}`,
      description: "Lines with a newer edition are marked.",
    }),
    failure: "Failed to copy booklist",
    failureWithReason: true,
    onSuccess: (list) => void navigate(`/admin/booklists/${list.id}`),
  });
  const remove = useAdminMutation({
    run: deleteBooklist,
    success: () => ({ title: "Draft deleted" }),
    failure: "Failed to delete draft",
    failureWithReason: true,
    onSuccess: () => void navigate("/admin/booklists", { replace: true }),
  });
  const isPublished = stored?.status === "published";
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      <Button busy={isSaving} onClick={() => submit(null)}>
        Save
      </Button>
      {isPublished ? (
        <Button variant="secondary" onClick={() => setConfirming("withdraw")}>
          Withdraw
        </Button>
      ) : (
        <Button variant="secondary" busy={isSaving} onClick={() => submit("published")}>
          {dirty || !stored ? "Save and publish" : "Publish"}
        </Button>
      )}
      {stored && (
        <Button
          variant="secondary"
          busy={copy.isPending}
          disabled={dirty}
          title={dirty ? "Save your changes first" : undefined}
          onClick={() => copy.mutate(draft.id)}
        >
          Copy for {nextYear}
        </Button>
      )}
      {stored?.status === "draft" && (
        <Button variant="quiet-danger" onClick={() => setConfirming("delete")}>
          Delete draft
        </Button>
      )}
      <ConfirmDialog
        open={confirming === "withdraw"}
        question="Withdraw this booklist?"
        confirmLabel="Withdraw"
        onConfirm={() => submit("withdrawn")}
        onClose={() => setConfirming(null)}
      >
        <p>Its link and code stop working until you publish it again.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === "delete"}
        question="Delete this draft?"
        confirmLabel="Delete draft"
        onConfirm={() => stored && remove.mutate({ id: draft.id, updated_at: stored.updated_at })}
        onClose={() => setConfirming(null)}
      >
        <p>It can't be restored.</p>
      </ConfirmDialog>
    </div>
  );
}
