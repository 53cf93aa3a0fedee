import { useSyncExternalStore } from "react";

/** What components and other listeners may do with a store. */
export type ReadableStore<State> = {
  /** What the server renders, and the browser's first render. */
  initial: State;
  get(): State;
  /** Calls the listener after each change. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
};

export type Store<State> = ReadableStore<State> & {
  /** Setting the current value again notifies no one. */
  set(next: State): void;
};

/** A value outside React that several components show. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    initial,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next) {
      if (Object.is(state, next)) return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}

/** A store's value, or what `select` takes from it: the component renders again only when that changes. */
export function useStore<State>(store: ReadableStore<State>): State;
export function useStore<State, Part>(store: ReadableStore<State>, select: (state: State) => Part): Part;
export function useStore<State>(
  { subscribe, get, initial }: ReadableStore<State>,
  select: (state: State) => unknown = (state) => state,
): unknown {
  return useSyncExternalStore(
    subscribe,
    () => select(get()),
    () => select(initial),
  );
}
