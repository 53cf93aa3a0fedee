import { createStore, type ReadableStore } from "./create-store.ts";

type LazyModule<Module> = ReadableStore<Module | null> & {
  /** Fetches the module, which costs nothing if it is there already; after a failure, another call retries. */
  fetch(): Promise<void>;
};

/**
 * A module that is fetched once it is needed. Unlike React's `lazy` it does not take the page down when that fails:
 * `onFailure` is called.
 * @returns a store of the module, null until it is loaded
 */
export function createLazyModule<Module>(
  load: () => Promise<Module>,
  onFailure: (error: unknown) => void,
): LazyModule<Module> {
  const { set, ...store } = createStore<Module | null>(null);
  return { ...store, fetch: () => load().then(set, onFailure) };
}
