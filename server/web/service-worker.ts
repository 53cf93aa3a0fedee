/**
 * Answers for /service-worker.js when the owner has switched offline pages off, for example because it misbehaves: browsers
 * install this as the next worker, and it removes itself and everything that was stored. A page that registers it
 * after that brings it back, already activated, so it removes itself again whenever a page reports a visit.
 */
export const serviceWorkerRemover = `self.addEventListener("install", () => self.skipWaiting());
const remove = async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
};
for (const type of ["activate", "message"]) self.addEventListener(type, (event) => event.waitUntil(remove()));
`;
