import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ChangePasswordForm } from "#app/features/account/change-password-form.tsx";
import { useSession } from "#app/features/session/session.ts";
import { FormDialog } from "./form-dialog.tsx";

/** Changes the signed-in admin's own password, which is never kept. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const email = session.status === "signed-in" ? session.user.email : "";
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog dirty={dirty} onClose={onClose} title="Change password" description={email}>
      <div onInput={() => setDirty(true)}>
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
      </div>
    </FormDialog>
  );
}
