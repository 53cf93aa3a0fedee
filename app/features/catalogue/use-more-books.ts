import { useEffect, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import type { CardBook } from "#app/features/books/book-fields.ts";
import type { Neighbours } from "./catalogue-pages.tsx";

/** A page of the catalogue; its `books` continue where the previous page ended. */
export type CatalogueSlice = { books: CardBook[]; neighbours: Neighbours };
type PageResponse = { loaded: CatalogueSlice | null; failure: string | null };

type State = {
  first: CatalogueSlice;
  added: CatalogueSlice[];
  failure: string | null;
  /** The last response to include. */
  response: PageResponse | undefined;
};

/** Added pages by history entry, so that Back restores them and the scroll position. */
const addedBefore = new Map<string, CatalogueSlice[]>();

/**
 * Further pages, loaded below the first. They are reset with each new first page, except one restored by Back.
 * `failure` is the last attempt's error message; the next attempt requests the same page again.
 */
export function useMoreBooks(first: CatalogueSlice) {
  const { key } = useLocation();
  // One of its own for each history entry: a late response for other filters must not continue these results.
  const fetcher = useFetcher<PageResponse>({ key: `more books of ${key}` });
  const { data } = fetcher;
  const start = (): State => ({ first, added: addedBefore.get(key) ?? [], failure: null, response: data });
  const [state, setState] = useState(start);
  if (state.first !== first) setState(start());
  else if (data && state.response !== data) setState(withResponse(state, data));

  useEffect(() => {
    if (state.added.length) addedBefore.set(key, state.added);
  }, [key, state.added]);

  const last = state.added.at(-1) ?? first;
  return {
    books: [first, ...state.added].flatMap((slice) => slice.books),
    /** The number of pages added below the first. */
    added: state.added.length,
    next: last.neighbours.next,
    byTitle: last.neighbours.byTitle,
    busy: fetcher.state !== "idle",
    failure: state.failure,
    load: () => {
      if (last.neighbours.next) void fetcher.load(last.neighbours.next);
    },
  };
}

/** Adds a response to what is shown. */
function withResponse(state: State, response: PageResponse): State {
  const { loaded, failure } = response;
  if (!loaded) return { ...state, failure, response };
  const shown = state.added.at(-1) ?? state.first;
  if (shown.neighbours.next === null || state.added.includes(loaded)) return { ...state, response };
  return { ...state, added: [...state.added, loaded], failure, response };
}
