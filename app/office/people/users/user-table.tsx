import { useState } from "react";
import { Link } from "react-router";
import { AskDialog } from "#app/components/ask-dialog.tsx";
import { Button } from "#app/components/button.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { ROLES } from "#app/features/session/role.queries.ts";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { useStaff } from "#app/office/frame/duties.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { ROLE_NAMES } from "#shared/shop/role-texts.ts";
import { formatDay } from "#shared/text/dates.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import { DutyDialog } from "./duty-dialog.tsx";
import { rowLinkClass } from "./person-rows.tsx";
import { RoleAndDuties } from "./role-badge.tsx";
import { RoleSelect } from "./role-select.tsx";
import { listUsers, removeSecondStep, USER_SORT_KEYS, type UserRow } from "./user.admin-queries.ts";
import { userExport } from "./user-export.ts";

const newestFirst = { key: "created_at", descending: true } as const;

/** Admins change roles and duties; others only see them. */
function columnsFor(onDuties: ((user: UserRow) => void) | null): readonly DataColumn<UserRow>[] {
  return [
    {
      id: "full_name",
      header: "Name",
      card: "title",
      cell: (row) => (
        <Link to={`/admin/users/${row.id}`} className={rowLinkClass}>
          {row.fullName ? <bdi>{row.fullName}</bdi> : "Not provided"}
        </Link>
      ),
    },
    {
      id: "email",
      header: "Email",
      cell: (row) => (
        <div>
          <EmailText address={row.email} />
          {row.phone && <p className="figures text-13 text-muted">{writtenPhone(row.phone)}</p>}
        </div>
      ),
    },
    {
      id: "role",
      header: "Role",
      cell: (row) => <RoleAndDuties {...row} />,
    },
    {
      id: "created_at",
      header: "Joined",
      sorts: "time",
      className: "figures whitespace-nowrap",
      cell: (row) => formatDay(row.joinedAt),
    },
    ...(onDuties ? [changeColumn(onDuties)] : []),
  ];
}

const changeColumn = (onDuties: (user: UserRow) => void): DataColumn<UserRow> => ({
  id: "change",
  header: "Change role",
  className: "@4xl:w-64",
  cell: (row) => (
    <div className="flex flex-wrap items-center gap-2">
      <RoleSelect user={row} />
      {row.role !== "admin" && (
        <Button
          variant="quiet"
          size="small"
          className="shrink-0 whitespace-nowrap"
          aria-label={`Duties of ${row.fullName || row.email || "this user"}`}
          onClick={() => onDuties(row)}
        >
          Duties
        </Button>
      )}
      {row.hasSecondStep && <RemoveSecondStep user={row} />}
    </div>
  ),
});

const roleChoices = [
  ...ROLES.map((role) => ({ value: role as string, label: ROLE_NAMES[role] })),
  { value: "duties", label: "With duties" },
];

export function UserTable() {
  const state = useListState(USER_SORT_KEYS, newestFirst);
  const { isAdmin } = useStaff();
  const query = { page: state.page, q: state.q, sort: state.sort, role: state.filter("role") };
  const users = useAdminQuery(["users", query], (client) => listUsers(client, query, isAdmin), {
    keepPrevious: true,
  });
  const [chosen, choose] = useState<UserRow | null>(null);
  return (
    <>
      <AdminList
        label="Users"
        one="user"
        many="users"
        columns={columnsFor(isAdmin ? choose : null)}
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
            <ExportButtons
              of={userExport}
              filters={{ q: query.q, filter: query.role }}
              total={users.isPlaceholderData ? undefined : users.data?.total}
            />
          </>
        }
        empty="No users found"
      />
      {chosen && <DutyDialog user={chosen} onClose={() => choose(null)} />}
    </>
  );
}

function RemoveSecondStep({ user }: { user: UserRow }) {
  const [asking, setAsking] = useState(false);
  const name = user.fullName || user.email || "this user";
  const remove = useAdminMutation({
    run: (client) => removeSecondStep(client, user.id),
    success: () => ({
      title: `Second step of ${name} removed`,
      description: "They were signed out everywhere.",
    }),
    failure: "Failed to remove the second step",
  });
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        busy={remove.isPending}
        aria-label={`Remove second step of ${name}`}
        onClick={() => setAsking(true)}
      >
        Remove Second Step
      </Button>
      <AskDialog
        open={asking}
        question={`Remove the second step of ${name}?`}
        yes="Remove"
        no="Keep It"
        onYes={() => remove.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <p>
          For a lost phone. Make sure that the request is really from {name}: afterwards their password alone
          lets them in. They are signed out everywhere and get an email.
        </p>
      </AskDialog>
    </>
  );
}
