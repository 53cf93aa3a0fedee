import { LIST_PAGE_SIZE, type ListQuery } from "#app/lib/list-state.ts";

/** What the database's lists take for page and order. */
export function pagingArguments({ page, sort }: ListQuery) {
  return { _sort: sort.key, _descending: sort.descending, _page: page, _page_size: LIST_PAGE_SIZE };
}
