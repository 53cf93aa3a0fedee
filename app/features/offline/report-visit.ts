import type { Location } from "react-router";
import { storedSince } from "#app/lib/browser/offline.ts";
import { savesData } from "#app/lib/browser/saved-data.ts";
import { cacheOwnPage } from "./cache-own-page.ts";
import { isOwnPage, isStorable, type Visit } from "./stored.ts";

/** Whether the worker handled the request for the document itself, and what the page loaded. */
const wasControlled = typeof navigator !== "undefined" && Boolean(navigator.serviceWorker?.controller);

let reports = 0;

/** In a browser that cannot store anything, the shop works only with a connection. */
export function registerWorker(): void {
  if (!import.meta.env.PROD) return;
  navigator.serviceWorker?.register("/service-worker.js", { updateViaCache: "none" }).catch(() => {});
}

/** Has the worker store the page shown, which the router assembled from data and code. */
export function reportVisit({ pathname, search }: Location): void {
  const isFirst = reports++ === 0;
  // The next page has come from the network, or the worker would have opened it as a document.
  if (!isFirst && storedSince()) delete document.documentElement.dataset.stored;
  const isKnown = !isStorable(pathname) || (isFirst ? wasControlled : savesData());
  const page = isKnown ? null : pathname + search;
  // A document that has just been opened is in the browser's HTTP cache.
  if (isOwnPage(pathname) && (isFirst || !savesData())) void cacheOwnPage(pathname + search);
  void navigator.serviceWorker?.ready.then(({ active }) => {
    const visit: Visit = { page, files: isFirst ? loadedFiles() : [] };
    active?.postMessage(visit);
  });
}

function loadedFiles(): string[] {
  if (wasControlled) return [];
  return performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && /^\/(assets|fonts)\//.test(pathname))
    .map(({ pathname }) => pathname);
}
