import { Badge } from "#app/components/badge.tsx";
import type { Role } from "#app/features/session/role.queries.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { ROLE_NAMES } from "#shared/shop/role-texts.ts";

const variants = { admin: "destructive", moderator: "secondary", user: "outline" } as const;

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge variant={variants[role]}>
      {role === "admin" && <OfficeIcon name="shield" size={14} />}
      {ROLE_NAMES[role]}
    </Badge>
  );
}
