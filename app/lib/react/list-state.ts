import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { cutSearchText } from "#shared/text/search-text.ts";

/** Rows per page, in every back-office list. */
export const LIST_PAGE_SIZE = 50;

const MAX_PAGE = 1_000_000;

export type Sort<Key extends string = string> = { key: Key; descending: boolean };

/** What a list shows. All of it is in the URL, so that it survives a reload, can be shared and works with Back. */
export type ListQuery<Key extends string = string> = {
  /** From 1. */
  page: number;
  /** Trimmed and cut to 200 code points; empty when nothing is searched for. */
  q: string;
  sort: Sort<Key>;
};

/** Reads a list's query from the URL; invalid values fall back to their default. */
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
    q: cutSearchText(params.get("q") ?? ""),
    sort: key ? { key, descending } : defaultSort,
  };
}

/** `sort=title`, or descending `sort=-title`. */
export function sortParam({ key, descending }: Sort): string {
  return descending ? `-${key}` : key;
}

/** The same parameters with some changed (null or empty removes one), back on the first page unless `page` is given. */
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
  /** The value of a filter by its query parameter; empty when it is off. */
  filter: (name: string) => string;
  /** Changes the URL. Typing replaces the history entry, choosing adds one. */
  change: (changes: Readonly<Record<string, string | null>>, how?: "push" | "replace") => void;
  hrefOfPage: (page: number) => string;
};

/** A list's state, stored in the URL. `sortKeys` and `defaultSort` must be constants. */
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
