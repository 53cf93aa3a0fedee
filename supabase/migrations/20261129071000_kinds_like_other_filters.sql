-- The kind is in every index now, so it needs no way of its own.

/*
 * The text of search_books' query where few_books returns null, in the order of _sort if there is one; a function of its own so that a
 * test can EXPLAIN it. A book's text is read from its row, everything else from an index. The books of _shown_before come before its first
 * page and are left out.
 */
create or replace function private.search_books_query(_search public.book_search, _shown_before uuid[] default '{}')
returns text language plpgsql immutable set search_path = '' as $$
declare
  bounds text := private.book_place(_search);
  conditions constant text := concat_ws(' and ', bounds, private.book_conditions(_search),
    case when cardinality(_shown_before) > 0 then format('b.id <> all (%L::uuid[])', _shown_before) end);
  page record := private.book_page(case bounds when 'true' then _search.page end, _search.page_size);
  by_row constant boolean :=
    private.clean_line(left(_search.q, 200)) is not null or _search.curriculum_type is not null or _search.min_rating is not null;
  by_price constant boolean := coalesce(_search.sort in ('price', 'price-desc'), false);
  shown constant text := coalesce(private.book_order(_search.sort), 'b.title_key, b.id');
  ordered text := shown;
  part public.book_search;
  covered text;
  walked int;
begin
  page.first_book := greatest(page.first_book - cardinality(_shown_before), 1);
  page.last_book := page.last_book - cardinality(_shown_before);
  if by_row then
    walked := least(greatest(page.last_book * 400, 5000), 20000);
    part := _search;
    part.q := null;
    part.curriculum_type := null;
    part.min_rating := null;
    covered := private.book_conditions(part, not by_price);
  elsif num_nonnulls(_search.publisher, _search.course, _search.subject, _search.grade_level, _search.kind) > 1
        or num_nonnulls(_search.min_price, _search.max_price) > 0 then
    -- The index on prices is slower to read in order, above all from the highest price down, but holds no others between two prices.
    walked := case when by_price then 10000 else greatest(page.last_book * 8, 50000) end;
  end if;
  if by_price then
    part := null;
    part.min_price := _search.min_price;
    part.max_price := _search.max_price;
    bounds := private.book_conditions(part);
  elsif bounds <> 'true' and _search.after_title is null then
    ordered := 'b.title_key desc, b.id desc';
  end if;
  return private.ordered_books_query(conditions, covered, bounds, ordered, shown, walked, page.first_book, page.last_book);
end $$;
