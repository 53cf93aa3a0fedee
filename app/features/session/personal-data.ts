import { createLatestRequest } from "#app/lib/backend/latest-request.ts";
import type { Owner } from "./follow-session.ts";

export type PersonalStatus = "loading" | "signed-out" | "ready" | "failed";

type Options<Data> = {
  getStatus(): PersonalStatus;
  setStatus(status: PersonalStatus): void;
  read(userId: string): Promise<Data>;
  /** Shows what was read; the status is then `ready`. */
  show(data: Data): void;
  /** Drops the earlier user's data and pending changes. */
  reset(status: PersonalStatus): void;
  onLoadFailed(error: unknown): void;
};

/** Whose data a store has, and how it is read: the same for the cart and for lists of books. */
export function createPersonalData<Data>(options: Options<Data>) {
  const { getStatus, setStatus, read, show, reset, onLoadFailed } = options;
  let owner: string | null = null;
  const latest = createLatestRequest();

  function setOwner(session: Owner): void {
    const next = session.status === "signed-in" ? session.userId : null;
    if (next !== null && next === owner) return;
    owner = next;
    reset(session.status === "signed-out" ? "signed-out" : "loading");
    if (owner) void load();
  }

  /** Reads the data again. With `quiet`, a failure is ignored while earlier data is shown. */
  async function load({ quiet = false } = {}): Promise<void> {
    const userId = owner;
    if (!userId) return;
    if (getStatus() === "failed") setStatus("loading");
    const outcome = await latest.run(() => read(userId));
    if (!outcome) return;
    if ("result" in outcome) {
      show(outcome.result);
      return;
    }
    if (getStatus() !== "ready") setStatus("failed");
    else if (quiet) return;
    onLoadFailed(outcome.failure);
  }

  return { getOwner: () => owner, latest, setOwner, load };
}
