import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";

async function readUsers(client: BackendClient, { q, filter }: ExportFilters, page: number) {
  const answer = await client.rpc("admin_list_users", {
    _q: q || undefined,
    _role: filter || undefined,
    _descending: false,
    _page: page,
    _page_size: STEP_SIZE,
  });
  return unwrap(answer);
}

export type ExportedUser = Awaited<ReturnType<typeof readUsers>>[number];

/** Accounts, the newest first. `filter` is a role. */
export function userSource(
  client: BackendClient,
  filters: ExportFilters,
): ExportSource<ExportedUser, number> {
  return {
    count: async () =>
      unwrap(
        await client.rpc("admin_count_users", {
          _q: filters.q || undefined,
          _role: filters.filter || undefined,
        }),
      ),
    ...fromLastPage((page) => readUsers(client, filters, page)),
  };
}
