import { useEffect, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import type { CardBook } from "#app/features/books/book.ts";
import type { Neighbours } from "./catalogue-pages.tsx";

/** What a page of the catalogue brings; `books` continue where the page before them ended. */
export type CatalogueSlice = { books: CardBook[]; neighbours: Neighbours };
type Answer = { loaded: CatalogueSlice | null; failure: string | null };

/** What was added below a page, by its entry in the history: who comes back finds it, and the place, again. */
const addedBefore = new Map<string, CatalogueSlice[]>();

/**
 * Further pages, loaded in place below the first. They start anew with each new first page that was not here before.
 * `failure` holds the words for the last attempt's failure; the next attempt asks for the same page again.
 */
export function useMoreBooks(first: CatalogueSlice) {
  const fetcher = useFetcher<Answer>();
  const { key } = useLocation();
  const start = () => ({ first, added: addedBefore.get(key) ?? [], failure: null as string | null });
  const [state, setState] = useState(start);
  const { data } = fetcher;
  if (state.first !== first) setState(start());

  useEffect(() => {
    if (!data) return;
    setState((current) => {
      if (!data.loaded) return { ...current, failure: data.failure };
      const shown = current.added.at(-1) ?? current.first;
      // An answer asked for before the filters changed does not continue what is shown now.
      if (shown.neighbours.next === null || current.added.includes(data.loaded)) return current;
      return { ...current, added: [...current.added, data.loaded], failure: null };
    });
  }, [data]);

  useEffect(() => {
    if (state.added.length) addedBefore.set(key, state.added);
  }, [key, state.added]);

  const last = state.added.at(-1) ?? first;
  return {
    books: [first, ...state.added].flatMap((slice) => slice.books),
    /** How many pages have been added below the first. */
    added: state.added.length,
    next: last.neighbours.next,
    busy: fetcher.state !== "idle",
    failure: state.failure,
    load: () => {
      if (last.neighbours.next) void fetcher.load(last.neighbours.next);
    },
  };
}
