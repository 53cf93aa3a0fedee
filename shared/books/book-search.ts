import type { Database } from "#shared/calls/database.types.ts";

/** The catalogue's search, as the database's functions take it. */
export type BookSearch = Database["public"]["CompositeTypes"]["book_search"];

const everyBook: BookSearch = {
  q: null,
  publisher: null,
  course: null,
  subject: null,
  grade_level: null,
  curriculum_type: null,
  min_price: null,
  max_price: null,
  min_rating: null,
  in_stock: null,
  sort: null,
  page: null,
  page_size: null,
  after_title: null,
  after_id: null,
  before_title: null,
  before_id: null,
  kind: null,
  sale_state: null,
};

/** A search with these attributes, and null for the others. */
export const bookSearch = (search: Partial<BookSearch>): BookSearch => ({ ...everyBook, ...search });
