import { useCallback, useEffect, useState } from "react";
import { getBackend } from "#app/features/session/session-store.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { listOwnOrders, type OwnOrderSummary } from "./order.queries.ts";

const PAGE_SIZE = 20;

export type OwnOrders =
  | { status: "loading" | "failed" }
  | { status: "ready"; orders: OwnOrderSummary[]; total: number; pages: number };

/** A page of the signed-in person's orders, the newest first; visitors are sent to /auth. */
export function useOwnOrders(page: number): { list: OwnOrders; tryAgain: () => void } {
  const userId = useRequireMember()?.id;
  const [list, setList] = useState<OwnOrders>({ status: "loading" });

  const read = useCallback(async (): Promise<OwnOrders> => {
    if (!userId) return { status: "loading" };
    try {
      const { orders, total } = await listOwnOrders(await getBackend(), userId, page, PAGE_SIZE);
      return { status: "ready", orders, total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) };
    } catch (error) {
      logFailure("Failed to load orders", error);
      return { status: "failed" };
    }
  }, [userId, page]);

  useEffect(() => {
    let current = true;
    setList({ status: "loading" });
    void read().then((found) => {
      if (current) setList(found);
    });
    return () => {
      current = false;
    };
  }, [read]);

  function tryAgain() {
    setList({ status: "loading" });
    void read().then(setList);
  }

  return { list, tryAgain };
}
