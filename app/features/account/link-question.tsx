import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { answerLinkQuestion, useLinkQuestion } from "#app/features/session/email-link-store.ts";

/** Asks before an emailed link signs out another user: the link may be someone else's, or an attacker's. */
export function LinkQuestion() {
  const question = useLinkQuestion();
  if (!question) return null;
  const other = question.linkEmail || "another account";
  return (
    <ConfirmDialog
      open
      variant="primary"
      question={`You're signed in as ${question.signedInEmail}`}
      confirmLabel={`Continue as ${other}`}
      onConfirm={() => answerLinkQuestion(true)}
      onClose={() => answerLinkQuestion(false)}
    >
      <p className="wrap-anywhere">
        The link you opened signs you in as {other}. Continue only if you asked for that email yourself.
      </p>
    </ConfirmDialog>
  );
}
