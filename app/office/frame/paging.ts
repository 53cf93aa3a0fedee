import { LIST_PAGE_SIZE, type ListQuery } from "#app/lib/react/list-state.ts";

/** The paging and sorting arguments of the database's list functions. */
export function pagingArguments({ page, sort }: ListQuery) {
  return { _sort: sort.key, _descending: sort.descending, _page: page, _page_size: LIST_PAGE_SIZE };
}
