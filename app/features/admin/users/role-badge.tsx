import { Badge } from "#app/components/badge.tsx";
import { OfficeIcon } from "#app/components/office/office-icon.tsx";
import type { Role } from "#app/features/session/role.queries.ts";

/** The labels in the selector and on the badge. */
export const ROLE_NAMES: Record<Role, string> = { user: "User", moderator: "Moderator", admin: "Admin" };

const variants = { admin: "destructive", moderator: "secondary", user: "outline" } as const;

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge variant={variants[role]}>
      {role === "admin" && <OfficeIcon name="shield" size={14} />}
      {ROLE_NAMES[role]}
    </Badge>
  );
}
