import { EmailText } from "#app/components/email-text.tsx";
import { CompactSelect } from "#app/components/office/compact-select.tsx";
import type { DataColumn } from "#app/components/office/data-column.ts";
import { ListFilter } from "#app/components/office/list-filter.tsx";
import { useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { ExportUsers } from "#app/features/admin/export/export-button.tsx";
import { ROLES, type Role, readRole } from "#app/features/session/role.queries.ts";
import { formatDay } from "#app/lib/dates.ts";
import { useListState } from "#app/lib/list-state.ts";
import { ROLE_NAMES, RoleBadge } from "./role-badge.tsx";
import { listUsers, USER_SORT_KEYS, type UserRow, updateUserRole } from "./user.admin-queries.ts";

const newestFirst = { key: "created_at", descending: true } as const;

const columns: readonly DataColumn<UserRow>[] = [
  {
    id: "full_name",
    header: "Name",
    card: "title",
    cell: (row) => row.fullName || <span className="text-muted">Not provided</span>,
  },
  {
    id: "email",
    header: "Email",
    cell: (row) => <EmailText address={row.email} />,
  },
  {
    id: "role",
    header: "Role",
    cell: (row) => <RoleBadge role={row.role} />,
  },
  {
    id: "created_at",
    header: "Joined",
    sorts: "time",
    className: "figures whitespace-nowrap",
    cell: (row) => formatDay(row.joinedAt),
  },
  {
    id: "change",
    header: "Change role",
    className: "@4xl:w-40",
    cell: (row) => <RoleSelect user={row} />,
  },
];

const roleChoices = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }));

export function UserTable() {
  const state = useListState(USER_SORT_KEYS, newestFirst);
  const query = { page: state.page, q: state.q, sort: state.sort, role: state.filter("role") };
  const users = useAdminQuery(["users", query], (client) => listUsers(client, query), { keepPrevious: true });
  return (
    <AdminList
      label="Users"
      one="user"
      many="users"
      columns={columns}
      rowId={(user) => user.id}
      page={users}
      state={state}
      sortKeys={USER_SORT_KEYS}
      search="Search name, email or phone"
      filters={
        <>
          <ListFilter
            name="role"
            label="Filter by role"
            all="All roles"
            choices={roleChoices}
            state={state}
          />
          <ExportUsers
            filters={{ q: query.q, filter: query.role }}
            total={users.isPlaceholderData ? undefined : users.data?.total}
          />
        </>
      }
      empty="No users found"
    />
  );
}

function RoleSelect({ user }: { user: UserRow }) {
  const change = useAdminMutation({
    run: (client, role: Role) => updateUserRole(client, user.id, role),
    success: (_, role) => ({ title: `User role updated to ${role}` }),
    failure: "Failed to update user role",
  });
  return (
    <CompactSelect
      aria-label={`Role of ${user.fullName || user.email || "this user"}`}
      className="w-full"
      value={change.isPending ? change.variables : user.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(readRole(event.target.value))}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {ROLE_NAMES[role]}
        </option>
      ))}
    </CompactSelect>
  );
}
