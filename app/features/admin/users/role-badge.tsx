import { Badge } from "#app/components/badge.tsx";
import { OfficeIcon } from "#app/components/office/office-icon.tsx";
import type { Role } from "#app/features/session/role.queries.ts";

/** The labels in the selector and on the badge. */
export const ROLE_NAMES: Record<Role, string> = { user: "User", moderator: "Moderator", admin: "Admin" };

/** What each role may do, for whoever gives it. */
export const roleTexts: Record<Role, string> = {
  user: "A user may shop as any customer. Duties that they were given stay.",
  moderator: "A moderator may see reviews with their authors, and hide or show them. Nothing else.",
  admin:
    "An admin may do everything: see all customers and orders, record and refund money, change settings, and give or take roles, yours too.",
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
