/**
 * Answers for /service-worker.js when the owner has switched offline pages off, for example because it misbehaves: browsers
 * install this as the next worker, and it removes itself and everything that was stored.
 */
export const serviceWorkerRemover = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const remove = async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
  };
  event.waitUntil(remove());
});
`;
