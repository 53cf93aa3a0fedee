import { listPublishers } from "#app/features/publishers/publisher.queries.ts";
import type { MenuPublisher } from "#app/features/publishers/publisher.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import type { PageContext } from "#app/lib/pages/request-context.ts";

/** How long a page waits for its menus' publishers. */
const TIMEOUT_MS = 1_000;

/**
 * Reads the publishers in menus. Every page has menus, also one that needs no backend: while the backend does not
 * respond, it shows those that were read last, and waits no more until they can be read again.
 */
export function createMenuPublishers(timeoutMs = TIMEOUT_MS) {
  let last: MenuPublisher[] = [];
  let isSilent = false;

  async function read({ backend, cached }: PageContext): Promise<MenuPublisher[]> {
    try {
      const publishers = await cached("publishers", () => listPublishers(backend));
      last = publishers
        .filter(({ shown }) => shown === "menu")
        .map(({ name, slug }): MenuPublisher => ({ name, slug }));
      isSilent = false;
    } catch (error) {
      if (!isBackendFailure(error)) throw error;
      if (!isSilent) logFailure("Failed to read publishers", error);
      isSilent = true;
    }
    return last;
  }

  return async (context: PageContext): Promise<MenuPublisher[]> => {
    const reading = read(context);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<MenuPublisher[]>((resolve) => {
      timer = setTimeout(
        () => {
          isSilent = true;
          resolve(last);
        },
        isSilent ? 0 : timeoutMs,
      );
    });
    // Whatever comes after the timeout has nobody to report to.
    reading.catch(() => {});
    return Promise.race([reading, timeout]).finally(() => clearTimeout(timer));
  };
}
