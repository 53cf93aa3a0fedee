import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { DUTIES, type Duty } from "./duties.ts";
import { findRole } from "./role.queries.ts";

/** Someone who may open the back office, and what they may do there. */
export type Staff = {
  isAdmin: boolean;
  duties: readonly Duty[];
  /** What they need before the database admits them: the code of their second step, or an app for it. */
  missing: "code" | "factor" | null;
};

/** The duties of the role moderator. */
const moderators: readonly Duty[] = ["reviews"];

/**
 * What a user may do in the back office; null for someone without a duty, who may not open it.
 * @throws BackendFailure
 */
export async function findStaff(backend: BackendClient, userId: string): Promise<Staff | null> {
  const [role, rows, step] = await Promise.all([
    findRole(backend, userId),
    backend.from("staff_duties").select("duty").eq("user_id", userId).then(unwrap),
    backend.rpc("own_second_step"),
  ]);
  unwrapDone(step);
  const missing = step.data === "code" || step.data === "factor" ? step.data : null;
  if (role === "admin") return { isAdmin: true, duties: DUTIES, missing };
  const own = new Set<string>([...rows.map(({ duty }) => duty), ...(role === "moderator" ? moderators : [])]);
  return own.size > 0 ? { isAdmin: false, duties: DUTIES.filter((duty) => own.has(duty)), missing } : null;
}
