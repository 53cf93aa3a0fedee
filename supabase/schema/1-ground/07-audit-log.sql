-- Who did what and when, with the row before and after, for books, orders, order_items, user_roles, staff_duties and reviews.
-- Written by triggers, never changed, read by admins. It is also the archive from which deleted rows are restored.

/*
 * Stamps updated_at, to the millisecond because JavaScript keeps no more, and always later than before, so that
 * "save if unchanged since" can compare for equality.
 */
create function private.stamp_updated_at()
returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 millisecond');
  return new;
end $$;

create table public.audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null default clock_timestamp(),
  -- A bare uuid: it outlives the account, and a foreign key would be a second way from here to profiles.
  actor uuid default auth.uid(),
  table_name text not null,
  row_id text not null,
  action text not null,
  before jsonb,
  after jsonb,
  -- The row's old and new titles, in the form used for searching.
  titles text collate "C" generated always as (
    private.fold(nullif(coalesce(before ->> 'title', '') || E'\n' || coalesce(after ->> 'title', ''), E'\n'))
  ) stored,
  -- Rows written together (an order and its items) carry the same number.
  transaction_id bigint not null default pg_current_xact_id()::text::bigint,
  constraint audit_log_action_is_known
    check (action in ('insert', 'update', 'delete', 'restore', 'import', 'undo', 'merge', 'change', 'read', 'return', 'undo_return', 'ship', 'undo_ship'))
);
create index audit_log_by_row on public.audit_log (row_id, table_name, id desc);
create index audit_log_by_table on public.audit_log (table_name, id desc);
create index audit_log_by_actor on public.audit_log (actor, id desc);
create index audit_log_by_title on public.audit_log using gin (titles extensions.gin_trgm_ops) where titles is not null;
create index audit_log_by_order_number on public.audit_log ((coalesce(after, before) ->> 'number')) where table_name = 'orders';
create index audit_log_roles_by_person on public.audit_log ((coalesce(after, before) ->> 'user_id'))
  where table_name in ('user_roles', 'staff_duties');
create index audit_log_merged_people on public.audit_log ((after ->> 'closed_account')) where table_name = 'profiles' and action = 'merge';
create index audit_log_items_by_order on public.audit_log ((before ->> 'order_id')) where table_name = 'order_items';

alter table public.audit_log enable row level security;
grant select on public.audit_log to authenticated, service_role;

create policy "admins read the audit log" on public.audit_log
  for select to authenticated using ((select private.is_admin()));

/* Logs are append-only. Anonymising a customer is the one exception. */
create function private.keep_as_written()
returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(current_setting('shop.task', true), '') <> 'anonymise' then
    perform private.refuse('PT403', 'append_only', 'Log entries cannot be changed or deleted.');
  end if;
  return new;
end $$;
create trigger keep_as_written before update or delete on public.audit_log
  for each row execute function private.keep_as_written();

/*
 * Writes one row of the log: the row before (null if it is new) and after (null if it was deleted). An update of the ignored columns
 * alone, which are maintained automatically, is not logged.
 */
create function private.write_audit(_table text, _before jsonb, _after jsonb, _ignored text[] default '{}')
returns void language plpgsql security definer set search_path = '' as $$
declare
  derived constant text[] := '{search_text,word_text,title_key,name_key,isbn_key,isbn13,school_key,class_key,paid_amount,has_undecided_payment,payment_state,owed_back,returned_amount}';
  task constant text := coalesce(current_setting('shop.task', true), '');
begin
  -- Not for the demo catalogue, which no person adds or removes; nor while an order's lines are changed or accounts
  -- are merged, each of which is one row.
  if task in ('demo', 'change', 'merge') then return; end if;
  _before := _before - derived;
  _after := _after - derived;
  if _before - _ignored = _after - _ignored then return; end if;
  insert into public.audit_log (table_name, row_id, action, before, after)
  values (_table, coalesce(_after, _before) ->> 'id',
          case when _after is null then 'delete' when _before is not null then 'update' when task = 'restore' then 'restore' else 'insert' end,
          _before, _after);
end $$;

/* Its arguments name the ignored columns. */
create function private.record_audit()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(tg_table_name::text, to_jsonb(old), to_jsonb(new), coalesce(tg_argv, '{}'));
  return null;
end $$;
