-- What several machines on one PostgreSQL share besides the shop's rows. Made before anything else when this file has changed; each
-- statement leaves alone what is there already. Only the database's owner may read it: nobody else may use the schema.

create schema if not exists private_shop;

-- What one machine at a time does: the work of a start, and what is done once (emails, backups, housekeeping). It ends by the
-- database's clock unless it is renewed, and `term` counts the holders.
create table if not exists private_shop.leases (
  name text primary key,
  holder uuid not null,
  machine text not null,
  term bigint not null default 1,
  expires_at timestamptz not null
);

create table if not exists private_shop.machines (
  id uuid primary key,
  machine text not null,
  alive_until timestamptz not null
);

-- The shop's keys, one row: each machine keeps a copy in its secrets.json.
create table if not exists private_shop.keys (
  is_only boolean primary key default true check (is_only),
  jwt_secret text not null,
  publishable_key text not null,
  secret_key text not null
);
alter table private_shop.keys enable row level security;

-- The covers. Pictures are compressed already.
create table if not exists private_shop.files (
  key text primary key,
  content bytea not null,
  created_at timestamptz not null default now()
);
alter table private_shop.files alter column content set storage external;

revoke all on all tables in schema private_shop from public;
