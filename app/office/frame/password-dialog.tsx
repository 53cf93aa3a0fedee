import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { ChangePasswordForm } from "#app/features/account/change-password-form.tsx";
import { useSession } from "#app/features/session/session.ts";

/** Changes the signed-in admin's own password. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const email = session.status === "signed-in" ? session.user.email : "";
  return (
    <Dialog open onClose={onClose} title="Change password" description={email}>
      <ChangePasswordForm email={email} onDone={onClose}>
        {(busy) => (
          <div className="mt-2 flex flex-wrap justify-end gap-3">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" busy={busy}>
              {busy ? "Saving..." : "Change password"}
            </Button>
          </div>
        )}
      </ChangePasswordForm>
    </Dialog>
  );
}
