/**
 * A call of a function that takes a search as an object, which is the statement's first parameter.
 * @param others the function's other arguments, in SQL
 */
export const searchCall = (name: string, others = "") =>
  `public.${name}(jsonb_populate_record(null::public.book_search, $1::jsonb)${others && `, ${others}`})`;
