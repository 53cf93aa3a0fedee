import { useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { PasswordField } from "#app/components/password-field.tsx";
import { showToast } from "#app/components/toast.ts";
import { changePassword, signIn } from "#app/features/accounts/account.queries.ts";
import { checkNewPassword, PASSWORD_MIN_LENGTH } from "#app/features/accounts/account-form.ts";
import { showAccountFailure } from "#app/features/accounts/show-account-failure.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useSession } from "#app/features/session/session-store.ts";

/** Changes the signed-in admin's own password, after checking the current one. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const email = session.status === "signed-in" ? session.user.email : "";
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ current?: string; next?: string }>({});

  async function submit(form: HTMLFormElement) {
    const typed = new FormData(form);
    const current = String(typed.get("current") ?? "");
    const next = String(typed.get("next") ?? "");
    const wrong = {
      current: current === "" ? "Enter your current password" : undefined,
      next: checkNewPassword(next) ?? undefined,
    };
    setErrors(wrong);
    const first = wrong.current ? "current" : wrong.next ? "next" : null;
    if (first) return form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    setBusy(true);
    try {
      const backend = await getBackend();
      await signIn(backend, email, current);
      await changePassword(backend, next);
      showToast("success", "Your password has been changed");
      onClose();
    } catch (error) {
      showAccountFailure("Failed to change the password", error);
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Change password"
      description={email}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {busy ? "Saving..." : "Change password"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        method="post"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit(event.currentTarget);
        }}
      >
        {/* Tells password managers whose password to save. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          name="current"
          required
          autoComplete="current-password"
          error={errors.current}
        />
        <PasswordField
          label="New password"
          name="next"
          required
          autoComplete="new-password"
          hint={`At least ${PASSWORD_MIN_LENGTH} characters`}
          error={errors.next}
        />
      </form>
    </Dialog>
  );
}
