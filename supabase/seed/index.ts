import { cedisFromPesewas } from "#shared/text/money.ts";
import { readDemoCatalogue } from "./demo-catalogue.ts";

/** Runs one statement with $1, $2 … as the database's owner and answers its rows. */
export type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/**
 * Loads the demo catalogue: books, reviewers who can never sign in, and their reviews. Does nothing when there is any
 * book. Books and reviews come in one statement, so that an interrupted load leaves none of them; reviewers without
 * reviews, should that happen, are simply found again by the next one.
 * @returns how many books were added
 */
export async function seedDemoCatalogue(sql: Query): Promise<number> {
  const [anyBook] = await sql("select 1 from public.books limit 1", []);
  if (anyBook !== undefined) return 0;

  const { books, reviewers, reviews } = readDemoCatalogue();
  await sql(addReviewers, [JSON.stringify(reviewers)]);
  await sql(nameReviewers, [JSON.stringify(reviewers)]);
  const rows = books.map((book) => ({ ...book, price: cedisFromPesewas(book.price) }));
  await sql(addBooksAndReviews, [JSON.stringify(rows), JSON.stringify(reviews)]);
  return books.length;
}

/** Marks the demo in shops that were seeded before the demo was marked on insert: `npm run clear-demo` relies on the marks. */
export async function markDemoRows(sql: Query): Promise<void> {
  const { books, reviewers } = readDemoCatalogue();
  await sql(markRows, [JSON.stringify([...books, ...reviewers].map(({ id }) => id))]);
}

const markRows = `
  insert into private.demo_rows (id)
  select id from jsonb_array_elements_text($1::text::jsonb) as demo (text), cast(text as uuid) as id
  where exists (select from public.books b where b.id = demo.text::uuid)
     or exists (select from public.profiles p where p.id = demo.text::uuid)
  on conflict (id) do nothing`;

/*
 * Without email and password there is nothing to sign in with, nor an address for a recovery mail; the ban says so
 * for the reader. Lists are bound as text because drivers encode JSON values differently.
 */
const addReviewers = `
  insert into auth.users (id, aud, role, banned_until, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
  select id, 'authenticated', 'authenticated', '2999-12-31', '{"demo": true}',
         jsonb_build_object('full_name', full_name), now(), now()
  from jsonb_to_recordset($1::text::jsonb) as reviewer (id uuid, full_name text)
  on conflict (id) do nothing`;

const nameReviewers = `
  insert into public.profiles (id, full_name, email)
  select id, full_name, email
  from jsonb_to_recordset($1::text::jsonb) as reviewer (id uuid, full_name text, email text)
  on conflict (id) do update set full_name = excluded.full_name, email = excluded.email`;

/*
 * The task keeps the demo out of the log of what people did. Books are a minute apart, in the order of the
 * files, so that "newest first" has one order.
 */
const addBooksAndReviews = `
  with quiet as materialized (
    select set_config('shop.task', 'demo', true)
  ), added as materialized (
    select private.insert_books(array(
      select value || jsonb_build_object('created_at', now() - position * interval '1 minute')
      from quiet, jsonb_array_elements($1::text::jsonb) with ordinality as element (value, position)
      order by position))
  ), marked as (
    insert into private.demo_rows (id)
    select (value ->> 'id')::uuid from jsonb_array_elements($1::text::jsonb) as book (value)
    union
    select user_id from jsonb_to_recordset($2::text::jsonb) as review (user_id uuid)
  )
  insert into public.reviews (id, book_id, user_id, rating, review_text, created_at)
  select review.id, book_id, user_id, rating, review_text, written_on
  from added, jsonb_to_recordset($2::text::jsonb)
    as review (id uuid, book_id uuid, user_id uuid, rating int, review_text text, written_on timestamptz)`;
