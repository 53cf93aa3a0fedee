import { DATA_OWNER_KEY } from "#app/lib/browser/env.ts";
import { withStorage } from "#app/lib/browser/storage.ts";
import { cachePage } from "./cached-pages.ts";
import { CACHES } from "./stored.ts";

/**
 * Stores a page of the signed-in user. The worker leaves these to the page, because it can't see who is signed in.
 * Without a connection the copy from an earlier visit stays.
 */
export async function cacheOwnPage(path: string): Promise<void> {
  const userId = dataOwner();
  if (!userId || !navigator.serviceWorker) return;
  await navigator.serviceWorker.ready;
  try {
    const url = new URL(path, window.location.origin).href;
    const response = await fetch(url, { priority: "low" });
    // The worker's own page is missing once the owner has switched offline pages off (server/web/service-worker.ts).
    if (await caches.has(CACHES.fallback)) await cachePage(url, response);
  } catch {
    // No response, or no space.
  }
  // They may have signed out while the page was loading.
  if (dataOwner() !== userId) await (await caches.open(CACHES.pages)).delete(path);
}

const dataOwner = () => withStorage("local", (storage) => storage.getItem(DATA_OWNER_KEY));
