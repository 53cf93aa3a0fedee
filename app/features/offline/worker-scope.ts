/** The part of a service worker's global scope that ours uses. TypeScript's own types for it clash with those of a page. */
export type WorkerScope = {
  addEventListener(type: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: WorkerEvent & { data: unknown }) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: Location;
};

type WorkerEvent = { waitUntil(work: Promise<unknown>): void };

export type FetchEvent = WorkerEvent & {
  request: Request;
  respondWith(response: Promise<Response>): void;
};
