import { useMemo } from "react";
import { useSearchParams } from "react-router";

/** Rows a page of every list of the back office. */
export const LIST_PAGE_SIZE = 50;

const MAX_PAGE = 1_000_000;
const MAX_SEARCH_CODE_POINTS = 200;

export type Sort<Key extends string = string> = { key: Key; descending: boolean };

/** What a list shows: the whole of it stands in the address, so that it can be reloaded, shared and gone back to. */
export type ListQuery<Key extends string = string> = {
  /** Counts from 1. */
  page: number;
  /** Trimmed and cut to 200 code points; empty when nothing is searched for. */
  q: string;
  sort: Sort<Key>;
};

/** Reads a list's part of the address; whatever is not understood is left at its default. */
export function readListQuery<Key extends string>(
  params: URLSearchParams,
  sortKeys: readonly Key[],
  defaultSort: Sort<Key>,
): ListQuery<Key> {
  const sortText = params.get("sort") ?? "";
  const descending = sortText.startsWith("-");
  const key = sortKeys.find((one) => one === sortText.replace(/^-/, ""));
  const page = Number(params.get("page"));
  return {
    page: Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
    q: [...(params.get("q") ?? "").trim()].slice(0, MAX_SEARCH_CODE_POINTS).join(""),
    sort: key ? { key, descending } : defaultSort,
  };
}

/** `sort=title` or, from the end, `sort=-title`. */
export function sortParam({ key, descending }: Sort): string {
  return descending ? `-${key}` : key;
}

/** The same address with some parameters changed (null or empty removes one), back on the first page unless told. */
export function changedParams(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("page");
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export type ListState<Key extends string = string> = ListQuery<Key> & {
  /** A filter of the list by its name in the address; empty when it is off. */
  filter: (name: string) => string;
  /** Changes the address. Typing replaces the entry in the history, choosing adds one. */
  change: (changes: Readonly<Record<string, string | null>>, how?: "push" | "replace") => void;
  /** The address of another page of this list. */
  hrefOfPage: (page: number) => string;
};

/** A list's state as React state, kept in the address. `sortKeys` and `defaultSort` must be constants. */
export function useListState<Key extends string>(
  sortKeys: readonly Key[],
  defaultSort: Sort<Key>,
): ListState<Key> {
  const [params, setParams] = useSearchParams();
  return useMemo(
    () => ({
      ...readListQuery(params, sortKeys, defaultSort),
      filter: (name) => params.get(name) ?? "",
      change: (changes, how = "push") =>
        setParams((current) => changedParams(current, changes), {
          replace: how === "replace",
          preventScrollReset: true,
        }),
      hrefOfPage: (page) => `?${changedParams(params, { page: page > 1 ? String(page) : null })}`,
    }),
    [params, setParams, sortKeys, defaultSort],
  );
}
