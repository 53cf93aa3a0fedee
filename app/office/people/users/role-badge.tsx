import { Badge } from "#app/components/badge.tsx";
import type { Role } from "#app/features/session/role.queries.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";

/** The labels in the selector and on the badge. */
export const ROLE_NAMES: Record<Role, string> = { user: "User", moderator: "Moderator", admin: "Admin" };

/** Describes each role to the admin who assigns it. */
export const roleTexts: Record<Role, string> = {
  user: "A user may shop like any customer, and keeps any duties.",
  moderator: "A moderator may see reviews with their authors, and hide or show them. Nothing else.",
  admin:
    "An admin may do everything: see all customers and orders, record and refund money, change settings, and assign or remove roles, including yours.",
};

const variants = { admin: "destructive", moderator: "secondary", user: "outline" } as const;

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge variant={variants[role]}>
      {role === "admin" && <OfficeIcon name="shield" size={14} />}
      {ROLE_NAMES[role]}
    </Badge>
  );
}
