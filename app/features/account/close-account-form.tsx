import { type FormEvent, useRef, useState } from "react";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend, signOut } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { requireConnection } from "#app/lib/offline.ts";
import { closeAccount } from "./own-account.queries.ts";

const FAILED = "Failed to close your account";

/** Closes the account permanently, after the password and a confirmation. A refusal, which may name an order, stays on the page. */
export function CloseAccountForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState("");
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    setRefusal(null);
    setMissing(password === "");
    if (password === "") form.current?.querySelector<HTMLInputElement>("[name=current]")?.focus();
    else setAsking(true);
  }

  async function close() {
    setBusy(true);
    try {
      requireConnection();
      await closeAccount(await getBackend(), password);
      await signOut();
      showToast("success", "Your account has been closed");
    } catch (error) {
      logFailure(FAILED, error);
      setRefusal(customerMessage(error) ?? `${FAILED}. Please try again in a moment.`);
      setBusy(false);
    }
  }

  return (
    <form ref={form} noValidate method="post" className="grid gap-5" onSubmit={ask}>
      <p>
        We delete your name, email, phone number and addresses, your cart, wishlist and the text of your
        reviews. Your orders stay in our records without your name. A closed account can't be reopened, so
        download your data first if you want to keep it.
      </p>
      {refusal && <Callout tone="warning">{refusal}</Callout>}
      {/* For password managers, which need it to know whose password to fill in. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Your password"
        name="current"
        required
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={missing ? "Enter your password" : undefined}
      />
      <Button type="submit" variant="danger" busy={busy} className="sm:justify-self-start">
        {busy ? "Closing…" : "Close My Account"}
      </Button>
      <AskDialog
        open={asking}
        question="Close your account for good?"
        yes="Close Account"
        no="Keep It"
        onYes={() => void close()}
        onClose={() => setAsking(false)}
      >
        <p className="wrap-anywhere">
          You will no longer be able to sign in with {email} or see your orders here.
        </p>
      </AskDialog>
    </form>
  );
}
