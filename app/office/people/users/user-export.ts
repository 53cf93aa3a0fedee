import { type ExportColumns, tableOf } from "#app/office/frame/export/export-table.ts";
import { type ExportedUser, userSource } from "./user-export.admin-queries.ts";

export const userColumns: ExportColumns<ExportedUser> = {
  Name: (user) => user.full_name,
  Email: (user) => user.email,
  Phone: (user) => user.phone,
  Role: (user) => user.role,
  Joined: (user) => new Date(user.created_at),
  "User ID": (user) => user.id,
};

export const userExport = {
  one: "user",
  many: "users",
  source: userSource,
  table: tableOf(userColumns),
  isPersonal: true,
};
