import { useState } from "react";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend, signOut } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { closeAccount } from "./own-account.queries.ts";

const FAILED = "Failed to close your account";

/** Closes the account permanently, after the password and a confirmation. A refusal, which may name an order, stays on the page. */
export function CloseAccountForm({ email }: { email: string }) {
  const [confirming, setConfirming] = useState(false);
  const [closing, setClosing] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { values, field, formProps } = useForm({
    fields: { current: "" },
    rules: ({ current }) => ({ current: current === "" ? "Enter your password" : null }),
    onInvalid: () => setRefusal(null),
    send: () => {
      if (closing) return;
      setRefusal(null);
      setConfirming(true);
    },
  });

  async function close() {
    setClosing(true);
    try {
      requireConnection();
      await closeAccount(await getBackend(), values.current);
      await signOut();
      showToast("success", "Your account has been closed");
    } catch (error) {
      logFailure(FAILED, error);
      setRefusal(customerMessage(error) ?? `${FAILED}. Please try again in a moment.`);
      setClosing(false);
    }
  }

  return (
    <form {...formProps} method="post" className="grid gap-5">
      <p>
        We delete your name, email, phone number and addresses, your cart, wishlist and the text of your
        reviews. Your orders stay in our records without your name. A closed account can't be reopened, so
        download your data first if you want to keep it.
      </p>
      {refusal && <Callout tone="warning">{refusal}</Callout>}
      {/* For password managers, which need it to know whose password to fill in. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Your password" required autoComplete="current-password" {...field("current")} />
      <Button type="submit" variant="danger" busy={closing} className="sm:justify-self-start">
        {closing ? "Closing…" : "Close My Account"}
      </Button>
      <AskDialog
        open={confirming}
        question="Close your account for good?"
        yes="Close Account"
        no="Keep It"
        onYes={() => void close()}
        onClose={() => setConfirming(false)}
      >
        <p className="wrap-anywhere">
          You will no longer be able to sign in with {email} or see your orders here.
        </p>
      </AskDialog>
    </form>
  );
}
