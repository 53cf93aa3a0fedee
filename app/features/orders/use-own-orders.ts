import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { listOwnOrders } from "./order.queries.ts";

const PAGE_SIZE = 20;

/** The saved copy of a page of orders. */
export const ordersCopy = (page: number) => `orders:${page}`;

/**
 * A page of the signed-in user's orders, newest first, or its saved copy; visitors are redirected to /auth.
 * @returns the state of the read, with `result` when it is ready; `retry` reads again
 */
export function useOwnOrders(page: number) {
  const userId = useRequireMember()?.id;
  return useRead(
    userId ? `${userId} ${page}` : null,
    () =>
      readOrSaved(ordersCopy(page), userId ?? "", async () => {
        const { orders, total } = await listOwnOrders(await getBackend(), userId ?? "", page, PAGE_SIZE);
        return { orders, total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) };
      }),
    { onFailure: (error) => logFailure("Failed to load orders", error) },
  );
}
