import { useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { ROLES, type Role, readRole } from "#app/features/session/role.queries.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { ROLE_NAMES, roleTexts } from "#shared/shop/role-texts.ts";
import { type UserRow, updateUserRole } from "./user.admin-queries.ts";

/** A role is chosen, then changed by a button that asks: one key in a selector must not make anyone an admin. */
export function RoleSelect({ user }: { user: UserRow }) {
  const aboutId = useId();
  const [chosen, choose] = useState<Role | null>(null);
  const [asking, setAsking] = useState(false);
  const name = user.fullName || user.email || "this user";
  const change = useAdminMutation({
    run: (client, role: Role) => updateUserRole(client, user.id, role),
    success: (_, role) => ({ title: `User role updated to ${role}` }),
    failure: "Failed to update user role",
  });
  const role = chosen ?? user.role;
  const isNew = role !== user.role;
  return (
    <>
      <CompactSelect
        aria-label={`Role of ${name}`}
        aria-describedby={isNew ? aboutId : undefined}
        className="w-full min-w-32"
        value={change.isPending ? change.variables : role}
        disabled={change.isPending}
        onChange={(event) => choose(readRole(event.target.value))}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {ROLE_NAMES[one]}
          </option>
        ))}
      </CompactSelect>
      {isNew && (
        <>
          <p id={aboutId} className="text-13 text-muted">
            {roleTexts[role]}
          </p>
          <Button
            size="small"
            busy={change.isPending}
            aria-label={`Change role of ${name} to ${ROLE_NAMES[role]}`}
            onClick={() => setAsking(true)}
          >
            Change Role
          </Button>
          <ConfirmDialog
            open={asking}
            question={`Change the role of ${name} to ${ROLE_NAMES[role]}?`}
            confirmLabel={`Make ${ROLE_NAMES[role]}`}
            variant={role === "admin" ? "danger" : "primary"}
            onConfirm={() => change.mutate(role, { onSettled: () => choose(null) })}
            onClose={() => setAsking(false)}
          >
            <p className="wrap-anywhere">
              {user.email && user.email !== name && `Their account is ${user.email}. `}
              {roleTexts[role]} {user.role !== "user" && "They lose the access of their old role."} They and
              every other admin will be emailed.
            </p>
          </ConfirmDialog>
        </>
      )}
    </>
  );
}
