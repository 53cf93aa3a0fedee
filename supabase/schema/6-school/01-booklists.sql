-- Booklists: what the pupils of a class need in a school year. Staff write them through functions (see
-- 04-editing-booklists); everyone else reads a published one by its code, or finds it by its school when it is listed
-- (see 02-public-booklists).

/*
 * The code in a list's address: ten of 32 characters (Crockford's base32, which has no I, L, O or U), 50 bits of a strong
 * random number, so that lists cannot be found by trying. A UUID has fixed bits in its seventh and ninth byte.
 */
create function private.new_booklist_code()
returns text language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (get_byte(random, n) & 31) + 1, 1), '')
    from uuid_send(gen_random_uuid()) as random, unnest(array[0, 1, 2, 3, 4, 5, 9, 10, 11, 12]) as n
$$;

/*
 * A typed code as it is stored: in any case, with spaces or any hyphen, dash or minus, also invisible ones, O for 0 and I or L for 1.
 * Null when it cannot be one.
 */
create function private.booklist_code(_typed text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select code
    from translate(upper(regexp_replace(left(_typed, 100),
           '[[:space:]\u00A0\u00AD\u200B-\u2015\u202A-\u202F\u2060\u2212\uFE58\uFE63\uFEFF\uFF0D-]+', '', 'g')), 'OIL', '011') as code
   where code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'
$$;

/* 'jhs 0002': its numbers as wide as each other, so that Class 2 comes before Class 10. */
create function private.booklist_class_key(_class_name text)
returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(private.fold(_class_name), '([0-9]+)', '000\1', 'g'), '0*([0-9]{4})', '\1', 'g')
$$;

create table public.booklists (
  id uuid primary key default gen_random_uuid(),
  code text not null default private.new_booklist_code(),
  school text not null,
  class_name text not null,
  -- '2026/2027'
  school_year text not null,
  introduction text,
  -- How many pupils are expected in the class. Null while nobody knows.
  pupils integer,
  status text not null default 'draft',
  -- Whether the public search by school finds it while it is published.
  is_listed boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  school_key text collate "C" generated always as (private.fold(school)) stored,
  class_key text collate "C" generated always as (private.booklist_class_key(class_name)) stored,
  search_text text collate "C" generated always as (
    private.fold(school) || E'\n' || private.fold(class_name) || E'\n' || school_year || E'\n' || lower(code)
  ) stored,
  -- ' baobab academy | primary 4 | 2026 2027 '
  word_text text collate "C" generated always as (private.word_text(array[school, class_name, school_year])) stored,
  constraint booklists_code_is_unique unique (code),
  constraint booklists_code_is_well_formed check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  constraint booklists_school_is_short check (length(school) between 1 and 200),
  constraint booklists_class_name_is_short check (length(class_name) between 1 and 100),
  constraint booklists_school_year_is_a_year check (school_year ~ '^20[0-9]{2}/20[0-9]{2}$'
    and right(school_year, 4)::int = left(school_year, 4)::int + 1),
  constraint booklists_introduction_is_short check (length(introduction) <= 2000),
  constraint booklists_pupils_are_sane check (pupils between 1 and 9999),
  constraint booklists_status_is_known check (status in ('draft', 'published', 'withdrawn'))
);
create index booklists_last_changed_first on public.booklists (updated_at desc, id desc);
create index booklists_by_school on public.booklists (school_key, school_year desc, class_key, id);
create index booklists_search on public.booklists using gin (search_text extensions.gin_trgm_ops);
create index booklists_search_by_school on public.booklists using gin (school_key extensions.gin_trgm_ops)
  where status = 'published' and is_listed;
create index booklists_search_by_words on public.booklists using gin (word_text extensions.gin_trgm_ops)
  where status = 'published' and is_listed;

create table public.booklist_lines (
  id uuid primary key default gen_random_uuid(),
  booklist_id uuid not null references public.booklists (id) on delete cascade,
  position integer not null,
  -- Null where the shop does not sell it. No foreign key: when the book is deleted, the line keeps its title, and a
  -- restored book gets its lines back.
  book_id uuid,
  -- The book's title when the list was saved, or free text for an item without a book.
  title text not null,
  -- Copies per pupil.
  copies integer not null default 1,
  is_required boolean not null default true,
  note text,
  -- Checked at the end of a statement, so that lines can change places. The position also limits a list to 200 lines.
  constraint booklist_lines_one_line_a_place unique (booklist_id, position) deferrable initially immediate,
  constraint booklist_lines_one_line_a_book unique (booklist_id, book_id) deferrable initially immediate,
  constraint booklist_lines_position_is_sane check (position between 1 and 200),
  constraint booklist_lines_title_is_short check (length(title) between 1 and 500),
  constraint booklist_lines_copies_are_sane check (copies between 1 and 99),
  constraint booklist_lines_note_is_short check (length(note) <= 300)
);

alter table public.booklists enable row level security;
alter table public.booklist_lines enable row level security;
grant select on public.booklists, public.booklist_lines to authenticated, service_role;

create policy "staff read booklists" on public.booklists
  for select to authenticated using ((select private.has_duty('schools')));
create policy "staff read the lines of booklists" on public.booklist_lines
  for select to authenticated using ((select private.has_duty('schools')));

create trigger stamp_updated_at before update on public.booklists
  for each row execute function private.stamp_updated_at();
create trigger record_audit after insert or update or delete on public.booklists
  for each row execute function private.record_audit('updated_at');
create trigger record_audit after update or delete on public.booklist_lines
  for each row execute function private.record_audit('position');
-- A new list of 30 lines is one row of the log.
create trigger record_audit_of_new after insert on public.booklist_lines
  for each row when (coalesce(current_setting('shop.task', true), '') <> 'new booklist')
  execute function private.record_audit();

-- Pages that show a list are cached until the catalogue's version changes. Every change of lines also changes its
-- list's row, and only drafts are added and deleted.
create trigger bump_catalogue_version_if_published after update on public.booklists
  for each row when (old.status = 'published' or new.status = 'published')
  execute function private.bump_catalogue_version();

/*
 * How many copies of a list's book a customer put into their cart. Combined with later orders this gives a list's
 * sales (see admin_list_booklist_sales), without changing carts and orders. Names customers by id only, and is deleted when a
 * customer is anonymised.
 */
create table private.booklist_additions (
  booklist_id uuid not null references public.booklists (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  book_id uuid not null,
  copies integer not null,
  first_added_at timestamptz not null default clock_timestamp(),
  last_added_at timestamptz not null default clock_timestamp(),
  primary key (booklist_id, user_id, book_id)
);
create index booklist_additions_by_customer on private.booklist_additions (user_id);
alter table private.booklist_additions enable row level security;
