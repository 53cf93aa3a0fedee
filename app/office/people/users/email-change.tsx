import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { InputField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { EMAIL_MALFORMED, isEmail } from "#shared/text/email.ts";
import { requestEmailChange, withdrawEmailChange } from "./person.admin-queries.ts";

type EmailChangeProps = { userId: string; email: string; newEmail: string | null; mayChange: boolean };

/** The address that waits to be confirmed, with a button that takes it back, or the button that requests another one. */
export function EmailChange({ userId, email, newEmail, mayChange }: EmailChangeProps) {
  const [changing, setChanging] = useState(false);
  const withdraw = useAdminMutation({
    run: (client) => withdrawEmailChange(client, userId),
    success: () => ({ title: "Change of email withdrawn", description: "The link no longer works." }),
    failure: "Failed to withdraw the change of email",
  });
  return (
    <>
      {newEmail && (
        <span className="block text-13 text-muted">
          Waiting for <EmailText address={newEmail} /> to be confirmed
        </span>
      )}
      {mayChange && (
        <div className="-ml-3">
          <Button
            variant="quiet"
            size="small"
            busy={withdraw.isPending}
            onClick={() => (newEmail ? withdraw.mutate(undefined) : setChanging(true))}
          >
            {newEmail ? "Withdraw the Change" : "Change Email"}
          </Button>
        </div>
      )}
      {changing && <EmailDialog userId={userId} email={email} onClose={() => setChanging(false)} />}
    </>
  );
}

type EmailDialogProps = { userId: string; email: string; onClose: () => void };

function EmailDialog({ userId, email, onClose }: EmailDialogProps) {
  // The address that staff saw, so that a newer one isn't replaced.
  const [seen] = useState(email);
  const request = useAdminMutation({
    run: (client, requested: string) => requestEmailChange(client, userId, seen, requested),
    success: (_, requested) => ({
      title: `Email sent to ${requested}`,
      description: "The link works for an hour.",
    }),
    failure: "Failed to change the email",
    onSuccess: () => {
      form.kept.forget();
      onClose();
    },
  });
  const form = useKeptForm({
    kept: `email ${userId}`,
    fields: { email: "" },
    rules: ({ email: typed }) => ({ email: isEmail(typed) ? null : EMAIL_MALFORMED }),
    send: ({ email: typed }) => request.mutate(typed.trim().toLowerCase()),
  });
  return (
    <FormDialog
      dirty={form.dirty}
      kept={form.kept}
      title="Change email"
      description={
        <span className="wrap-anywhere">
          They keep signing in with {seen} until someone opens the link that we email to the new address. We
          email both addresses. Whoever opens the link is signed in to this account, so check the new address
          with the person first.
        </span>
      }
      onClose={onClose}
      footer={
        <Button type="submit" form="change-email" busy={request.isPending} disabled={!form.dirty}>
          Send Email
        </Button>
      }
    >
      <form {...form.formProps} id="change-email">
        <InputField
          label="New email"
          type="email"
          maxLength={254}
          autoComplete="off"
          {...form.field("email")}
        />
      </form>
    </FormDialog>
  );
}
