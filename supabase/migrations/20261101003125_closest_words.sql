-- How common the words of a search are, and the words that a mistyped one may mean.

create extension if not exists fuzzystrmatch with schema extensions;

/* The letters of a word in alphabetical order: the same for two words that differ only in the order of their letters. */
create function private.sorted_letters(_word text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select string_agg(letter, '' order by letter) from regexp_split_to_table(_word, '') as letter
$$;
revoke execute on function private.sorted_letters(text) from public;
grant execute on function private.sorted_letters(text) to anon, authenticated, service_role;

/* The books b in about this many of the table's blocks, spread over the catalogue and the same each time; all books of a small shop. */
create function private.book_sample(_blocks int)
returns text language sql stable set search_path = '' as $$
  select format('public.books b tablesample system (%s) repeatable (0)',
    least(100, 100 * _blocks * current_setting('block_size')::numeric / greatest(pg_relation_size('public.books'), 1)))
$$;
revoke execute on function private.book_sample(int) from public;
grant execute on function private.book_sample(int) to anon, authenticated, service_role;

/*
 * For each condition, about how many books b meet it, from a sample of 100 blocks; 0 for each in a shop with up to 16 MB of books,
 * where reading all of them costs little.
 */
create function private.estimate_books(_conditions text[])
returns bigint[] language plpgsql stable set search_path = ''
set jit = off as $$
declare
  blocks constant numeric := pg_relation_size('public.books') / current_setting('block_size')::numeric;
  estimates bigint[];
begin
  if blocks > 2000 and cardinality(_conditions) > 0 then
    execute format('select array[%s]::bigint[] from %s',
      (select string_agg(format('count(*) filter (where %s) * %s', condition, round(blocks / 100)), ', ' order by place)
         from unnest(_conditions) with ordinality as each (condition, place)),
      private.book_sample(100)) into estimates;
    return estimates;
  end if;
  return array_fill(0::bigint, array[cardinality(_conditions)]);
end $$;
revoke execute on function private.estimate_books(text[]) from public;
grant execute on function private.estimate_books(text[]) to anon, authenticated, service_role;

/*
 * Up to three words of books that a mistyped word most likely means, best first: the fewest letters to change, two
 * swapped letters counting as one; at most one of four letters, two of up to eight and three of more. Nothing for words of three
 * letters, which are close to everything. Compares up to 50,000 words with the same first letter, and 50,000 others.
 */
create function private.closest_words(_word text)
returns text[] language sql stable set search_path = ''
set jit = off as $$
  with allowed as (
    select case when length(_word) < 5 then 1 when length(_word) < 9 then 2 else 3 end as letters
     where length(_word) between 4 and 30
  ), compared as (
    (select word from private.book_words where word between left(_word, 1) and left(_word, 1) || chr(1114111) limit 50000)
    union all
    (select word from private.book_words where word not between left(_word, 1) and left(_word, 1) || chr(1114111) limit 50000)
  ), near as materialized (
    select distinct w.word, extensions.levenshtein_less_equal(w.word, _word, a.letters + 1) as changed, a.letters
      from allowed a
      join compared w on length(w.word) between length(_word) - a.letters and length(_word) + a.letters
     where extensions.levenshtein_less_equal(w.word, _word, a.letters + 1) <= a.letters + 1
  ), rated as (
    select word, letters,
           changed - case when changed > 1 and length(word) = length(_word)
                           and private.sorted_letters(word) = private.sorted_letters(_word) then 1 else 0 end
             + case when left(word, 1) = left(_word, 1) then 0 else 0.5 end as far
      from near
  ), likely as materialized (
    select array_agg(word order by far, word) as words, array_agg(far order by far, word) as fars
      from (select * from rated where far <= letters order by far, word limit 6) as best
  ), living as (
    select word, far, greatest(least(30, estimate), found.books) as books
      from likely,
           unnest(words, fars, private.estimate_books(array(
             select format('b.word_text like %L', '% ' || word || ' %') from unnest(words) as word))) as given (word, far, estimate),
           lateral (
             select count(*) as books
               from (select from public.books b
                      where estimate < 30 and private.words_vector(b.word_text) @@ quote_literal(word)::tsquery limit 30) as living
           ) as found
     where words is not null
  )
  select coalesce(array_agg(word order by far, books desc, word), '{}')
    from (
      select * from living where books > 0 and far < (select min(far) from living where books > 0) + 1
       order by far, books desc, word limit 3
    ) as best
$$;
revoke execute on function private.closest_words(text) from public;
grant execute on function private.closest_words(text) to anon, authenticated, service_role;
