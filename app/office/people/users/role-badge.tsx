import { Badge } from "#app/components/badge.tsx";
import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import type { Role } from "#app/features/session/role.queries.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { dutyTexts } from "#app/office/frame/duty-texts.ts";
import { ROLE_NAMES } from "#shared/shop/role-texts.ts";

const variants = { admin: "destructive", moderator: "secondary", user: "outline" } as const;

function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge variant={variants[role]}>
      {role === "admin" && <OfficeIcon name="shield" size={14} />}
      {ROLE_NAMES[role]}
    </Badge>
  );
}

/** A person's role, and below it what someone who isn't an admin may do. A moderator has reviews without being given it. */
export function RoleAndDuties({ role, duties }: { role: Role; duties: readonly Duty[] }) {
  const own = DUTIES.filter((duty) => duties.includes(duty) || (role === "moderator" && duty === "reviews"));
  return (
    <div>
      <RoleBadge role={role} />
      <p className="text-13 text-muted">{own.map((duty) => dutyTexts[duty].name).join(", ")}</p>
    </div>
  );
}
