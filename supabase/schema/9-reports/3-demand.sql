-- What visitors look for and the shop doesn't have: searches that found little, and lines of bulk orders without a book. Counted by text and
-- never by person: what could tell visitors apart is deleted when the month ends.

create table private.unmet_demand (
  -- 'search' or 'line', of a bulk order
  kind text not null,
  day date not null,
  -- As demand_text returns it.
  text text collate "C" not null,
  -- Without visitors who looked for it earlier in the month.
  visitors integer not null,
  -- How many books the last search of the day found.
  found integer not null,
  primary key (kind, day, text)
);
-- Hashes of text and visitor, so that even this month's hashes don't connect the texts of one visitor.
create table private.unmet_demand_visitors (
  kind text not null,
  text text collate "C" not null,
  visitor bytea not null,
  primary key (kind, text, visitor)
);
-- What this month's hashes are made with: one row.
create table private.unmet_demand_salts (
  month date primary key,
  salt text not null
);
alter table private.unmet_demand enable row level security;
alter table private.unmet_demand_visitors enable row level security;
alter table private.unmet_demand_salts enable row level security;

/* How many different visitors must have looked for a text within a month before anyone sees it or it outlasts the month. */
create function private.demand_threshold(_kind text)
returns int language sql immutable set search_path = '' as $$
  select case _kind when 'search' then 3 else 2 end
$$;

/*
 * A text as it is counted: an ISBN-13, or folded as the search folds it, without characters that can't be seen or that turn others around.
 * Null for what is too long to be a title or may be about a person: email and web addresses, and seven digits or more, whatever signs are
 * between them, that are no ISBN. A short ISBN that may be a phone number in Ghana counts as one.
 */
create function private.demand_text(_text text)
returns text language plpgsql immutable set search_path = '' as $$
declare
  cleaned constant text := private.clean_line(private.without_marks(left(_text, 200)));
  folded constant text := private.fold(cleaned);
  with_digits constant text := translate(folded, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  code constant text := private.book_code(cleaned);
begin
  if code ~ '^97[89][0-9]{10}$' or (code ~ '^[0-9]{9}[0-9X]$' and code !~ '^0(2|3|5[03-9])') then return private.isbn13(code); end if;
  if folded is null or length(folded) not between 2 and 100
     or with_digits ~ '@|://|www\.|\.(com|org|net|edu|gov|info|gh)\M|([0-9][^[:alnum:]]*){7}' then return null; end if;
  return folded;
end $$;

/*
 * The shop itself: the salt with which visitors are hashed this month. The first call of a month deletes the salt and the hashes of the last
 * one, the texts that too few visitors looked for, and counts that are older than three years.
 */
create function private.demand_salt()
returns text language plpgsql security definer set search_path = '' as $$
declare
  this_month constant date := date_trunc('month', private.today())::date;
  current_salt text := (select s.salt from private.unmet_demand_salts s where s.month = this_month);
begin
  if current_salt is not null then return current_salt; end if;
  perform pg_advisory_xact_lock(hashtext('private.unmet_demand'));
  -- Perhaps another process has begun the month meanwhile.
  select s.salt into current_salt from private.unmet_demand_salts s where s.month = this_month;
  if found then return current_salt; end if;
  delete from private.unmet_demand_salts;
  delete from private.unmet_demand_visitors;
  delete from private.unmet_demand d
   using (select u.kind, u.text, date_trunc('month', u.day)::date as month
            from private.unmet_demand u where u.day < this_month
           group by 1, 2, 3 having sum(u.visitors) < private.demand_threshold(u.kind)) as few
   where d.kind = few.kind and d.text = few.text and d.day >= few.month and d.day < few.month + interval '1 month';
  delete from private.unmet_demand where day < this_month - interval '3 years';
  -- 244 random bits.
  insert into private.unmet_demand_salts (month, salt)
  values (this_month, encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'))
  returning salt into current_salt;
  return current_salt;
end $$;
select private.expose('demand_salt', 'service_role');

/*
 * The shop itself: counts what visitors looked for, a JSON list of { kind, text, found, visitor }, where "visitor" is a hash made with
 * _salt. A repeated call counts once; with the salt of another month it counts nothing. At most 2,000 texts of a kind a day, and 10,000
 * visitors, because someone may invent texts.
 */
create function private.count_demand(_salt text, _seen text)
returns void language plpgsql security definer set search_path = '' as $$
declare
  today constant date := private.today();
  seen record;
  counting text;
  texts int;
  visitors int;
  of_text int;
begin
  perform pg_advisory_xact_lock(hashtext('private.unmet_demand'));
  if not exists (select from private.unmet_demand_salts s where s.salt = _salt and s.month = date_trunc('month', today)::date) then
    return;
  end if;
  for seen in
    select s.kind, private.demand_text(s.text) as text, s.visitor, least(greatest(max(s.found), 0), 2) as found
      from jsonb_to_recordset(_seen::jsonb) as s (kind text, text text, found int, visitor text)
     where s.kind in ('search', 'line') and length(s.visitor) between 1 and 100 and private.demand_text(s.text) is not null
     group by 1, 2, 3 order by 1, 2, 3
  loop
    if counting is distinct from seen.kind then
      counting := seen.kind;
      select count(*), coalesce(sum(d.visitors), 0) into texts, visitors from private.unmet_demand d where d.kind = counting and d.day = today;
    end if;
    continue when visitors >= 10000;
    continue when texts >= 2000
      and not exists (select from private.unmet_demand d where d.kind = seen.kind and d.day = today and d.text = seen.text);
    insert into private.unmet_demand_visitors (kind, text, visitor)
    values (seen.kind, seen.text, sha256(convert_to(seen.visitor || ' ' || seen.text, 'UTF8'))) on conflict do nothing;
    continue when not found;
    insert into private.unmet_demand as d (kind, day, text, visitors, found) values (seen.kind, today, seen.text, 1, seen.found)
    on conflict (kind, day, text) do update set visitors = d.visitors + 1, found = excluded.found
    returning d.visitors into of_text;
    visitors := visitors + 1;
    if of_text = 1 then texts := texts + 1; end if;
  end loop;
end $$;
select private.expose('count_demand', 'service_role');

/* The counts of a period, without texts that too few visitors looked for in their month. */
create function private.shown_demand(_kind text, _from date, _to date)
returns table (day date, text text, visitors int, found int) language sql stable security definer set search_path = '' as $$
  select d.day, d.text, d.visitors, d.found
    from (select u.*, sum(u.visitors) over (partition by u.text, date_trunc('month', u.day)) as of_month
            from private.unmet_demand u
           where u.kind = _kind and u.day >= date_trunc('month', _from)::date
             and u.day < (date_trunc('month', _to) + interval '1 month')::date) as d
   where d.of_month >= private.demand_threshold(_kind) and d.day between _from and _to
$$;

create function private.require_demand(_kind text)
returns void language plpgsql immutable set search_path = '' as $$
begin
  if _kind is null or _kind not in ('search', 'line') then
    perform private.refuse('PT400', 'invalid_field', 'Unknown report.', jsonb_build_object('field', 'kind', 'rule', 'choice'));
  end if;
end $$;

/* Staff: what visitors looked for in a period in searches that found fewer than three books ('search'), or in bulk orders ('line'). */
create function private.report_demand(_from date, _to date, _kind text, _limit int default 100)
returns table (text text, visitors bigint, found int, last_day date)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to), private.require_demand(_kind);
  return query
    select d.text, sum(d.visitors)::bigint, (array_agg(d.found order by d.day desc))[1], max(d.day)
      from private.shown_demand(_kind, _from, _to) as d
     group by 1 order by 2 desc, 4 desc, 1
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;
select private.expose('report_demand', 'authenticated', 'service_role');

/* Staff: the same by 'day', 'week' (from Monday) or 'month', each with its first day in the period. */
create function private.report_demand_over_time(_from date, _to date, _kind text, _grain text)
returns table (start date, texts bigint, visitors bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to), private.require_demand(_kind);
  if _grain is null or _grain not in ('day', 'week', 'month') then
    perform private.refuse('PT400', 'invalid_field', 'Please choose days, weeks or months.', jsonb_build_object('field', 'grain', 'rule', 'choice'));
  end if;
  return query
    select greatest(date_trunc(_grain, d.day)::date, _from), count(distinct d.text), sum(d.visitors)::bigint
      from private.shown_demand(_kind, _from, _to) as d
     group by 1 order by 1;
end $$;
select private.expose('report_demand_over_time', 'authenticated', 'service_role');

/* Staff: books on wishlists, those added most often in the period first. */
create function private.report_wished(_from date, _to date, _limit int default 100)
returns table (book_id uuid, title text, publisher text, stock_quantity int, added bigint, wishlists bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to);
  return query
    select b.id, b.title, b.publisher, b.stock_quantity, w.added, w.wishlists
      from (select l.book_id, count(*) as wishlists,
                   count(*) filter (where (l.created_at at time zone 'UTC')::date between _from and _to) as added
              from public.wishlists l group by 1) as w
      join public.books b on b.id = w.book_id
     order by w.added desc, w.wishlists desc, b.title_key, b.id
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;
select private.expose('report_wished', 'authenticated', 'service_role');

/*
 * Staff: the lines of booklists without a book, or whose book was deleted, each title once with its newest list. Counts lists, except
 * withdrawn ones, that were made in the period or whose school year (from September) overlaps it. Staff typed them, so all are shown.
 */
create function private.report_listed(_from date, _to date, _limit int default 100)
returns table (title text, lists bigint, schools bigint, booklist_id uuid, school text, class_name text, school_year text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_duty('reports');
  perform private.require_period(_from, _to);
  return query
    with missing as (
      select private.fold(l.title) as key, count(distinct n.id) as lists, count(distinct n.school_key) as schools,
             (array_agg(l.id order by n.school_year desc, n.updated_at desc, l.id))[1] as newest
        from public.booklists n join public.booklist_lines l on l.booklist_id = n.id
       where n.status <> 'withdrawn'
         and ((n.created_at at time zone 'UTC')::date between _from and _to
              or (_to >= make_date(left(n.school_year, 4)::int, 9, 1) and _from < make_date(right(n.school_year, 4)::int, 9, 1)))
         and not exists (select from public.books b where b.id = l.book_id)
       group by 1
    )
    select l.title, m.lists, m.schools, n.id, n.school, n.class_name, n.school_year
      from missing m join public.booklist_lines l on l.id = m.newest join public.booklists n on n.id = l.booklist_id
     order by m.lists desc, m.schools desc, m.key
     limit least(greatest(coalesce(_limit, 100), 1), 1000);
end $$;
select private.expose('report_listed', 'authenticated', 'service_role');
