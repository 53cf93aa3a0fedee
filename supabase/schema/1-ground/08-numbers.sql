-- Numbers that count up every year without gaps, as quotes and invoices have them.

create function private.today()
returns date language sql stable set search_path = '' as $$
  select (now() at time zone 'UTC')::date
$$;

/*
 * The last number of each year and series. Its row stays locked until the transaction ends, so there are no gaps.
 */
create table private.yearly_numbers (
  series text not null,
  year integer not null,
  last_number integer not null,
  primary key (series, year)
);

alter table private.yearly_numbers enable row level security;

create function private.next_yearly_number(_series text, _year int)
returns int language sql security definer set search_path = '' as $$
  insert into private.yearly_numbers as y (series, year, last_number) values (_series, _year, 1)
  on conflict (series, year) do update set last_number = y.last_number + 1
  returning last_number
$$;
