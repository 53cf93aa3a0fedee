import { isOffline } from "#app/lib/browser/offline.ts";
import { createLazyModule } from "#app/lib/react/create-lazy-module.ts";

/** By then the first page has been loaded, and the connection is free. */
const SETTLED_MS = 2_000;

/** The code for use offline, loaded late. Until then the shop needs a connection. */
export const lateOffline = createLazyModule(
  () => import("./offline-area.tsx"),
  () => {},
);

/** Called once by the browser's entry. */
export function startOffline(): void {
  setTimeout(lateOffline.fetch, isOffline() ? 0 : SETTLED_MS);
}
