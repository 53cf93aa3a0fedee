-- A title that is entered anew after it was deleted doesn't sell the codes again that were sold before.

/*
 * Staff: adds licence codes, 1 to 1,000 of at most 200 characters. Returns how many were added and how many were known: in the list twice, or
 * the title has or had them, or a deleted title, which may be this one entered anew. Blank ones are left out. No refusal names a code.
 */
create or replace function private.add_licence_codes(_book_id uuid, _codes text[])
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  book public.books;
  written int;
  added int;
  too_long int;
begin
  perform private.require_duty('catalogue');
  book := private.lock_digital(_book_id, 'code');
  if coalesce(cardinality(_codes), 0) not between 1 and 1000 then
    perform private.refuse('PT400', 'invalid_rows', 'Send 1 to 1,000 codes at once.', '{"limit": 1000}');
  end if;
  select count(private.clean_line(code)), min(place) filter (where length(private.clean_line(code)) > 200) into written, too_long
    from unnest(_codes) with ordinality as given (code, place);
  if too_long is not null then
    perform private.refuse('PT400', 'invalid_field', format('Code %s is too long (at most 200 characters).', too_long),
      jsonb_build_object('field', 'codes', 'rule', 'max_length', 'limit', 200, 'line', too_long));
  end if;
  insert into private.licence_codes (book_id, code)
  select _book_id, private.clean_line(code) from unnest(_codes) with ordinality as given (code, place)
   where private.clean_line(code) is not null
     and not exists (
       select from private.licence_codes c join private.gone_books g on g.id = c.book_id and g.digital_by = 'code'
        where c.code = private.clean_line(given.code))
   order by place
  on conflict (book_id, code) do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    perform private.set_digital_stock(_book_id, book.stock_quantity + added, 'codes');
    insert into public.audit_log (table_name, row_id, action, after)
    values ('licence_codes', _book_id, 'insert', jsonb_build_object('book_id', _book_id, 'title', book.title, 'codes', added));
  end if;
  return jsonb_build_object('added', added, 'known', written - added);
end $$;
