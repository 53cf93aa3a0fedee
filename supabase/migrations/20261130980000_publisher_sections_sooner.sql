-- The sections of a publisher's page read the whole catalogue for each: a pattern in a joined row told the planner nothing.

/*
 * A section of a publisher's page, 'Primary', 'Secondary/IGCSE' or 'A Level': at most 8 of its books, by title. A book may be in several.
 * Its books are read in this order, until 8 match.
 */
create or replace function public.list_publisher_books(_publisher text, _section text)
returns setof public.books language sql stable set search_path = '' rows 8 as $$
  select b.*
    from public.books b
   where b.publisher = _publisher and b.for_sale > -2
     and concat_ws(' | ', b.grade_level, b.course) ~*
           case _section when 'Primary' then '(primary|ks1|ks2)' when 'Secondary/IGCSE' then 'igcse' when 'A Level' then 'a[ -]level' end
   order by b.title_key, b.id limit 8
$$;
