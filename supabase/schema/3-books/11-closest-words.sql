-- How common the words of a search are, and the words that a mistyped one, or several typed as one, may mean.

/* The letters of a word in alphabetical order: the same for two words that differ only in the order of their letters. */
create function private.sorted_letters(_word text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select string_agg(letter, '' order by letter) from regexp_split_to_table(_word, '') as letter
$$;
grant execute on function private.sorted_letters to anon, authenticated, service_role;

/* The books b in about this many of the table's blocks, spread over the catalogue and the same each time; all books of a small shop. */
create function private.book_sample(_blocks int)
returns text language sql stable set search_path = '' as $$
  select format('public.books b tablesample system (%s) repeatable (0)',
    least(100, 100 * _blocks * current_setting('block_size')::numeric / greatest(pg_relation_size('public.books'), 1)))
$$;
grant execute on function private.book_sample to anon, authenticated, service_role;

/*
 * For each condition, about how many books b meet it, from a sample of 100 blocks; 0 for each in a shop with up to 16 MB of books,
 * where reading all of them costs little.
 */
create function private.estimate_books(_conditions text[])
returns bigint[] language plpgsql stable set search_path = '' as $$
declare
  blocks constant numeric := pg_relation_size('public.books') / current_setting('block_size')::numeric;
  estimates bigint[];
begin
  if blocks > 2000 and cardinality(_conditions) > 0 then
    execute format('select array[%s]::bigint[] from %s',
      (select string_agg(format('count(*) filter (where %s) * %s', condition, round(blocks / 100)), ', ' order by position)
         from unnest(_conditions) with ordinality as each (condition, position)),
      private.book_sample(100)) into estimates;
    return estimates;
  end if;
  return array_fill(0::bigint, array[cardinality(_conditions)]);
end $$;
grant execute on function private.estimate_books to anon, authenticated, service_role;

/*
 * Up to three words of books that a mistyped word most likely means, best first: the fewest letters to change, two
 * swapped letters counting as one; at most one of four letters, two of up to eight and three of more. Nothing for words of three
 * letters, which are close to everything. From five letters on it may also be the mistyped beginning of a longer word, with at most one
 * letter to change of eight and two of more; whole words come first. Compares up to 50,000 words with the same first letter, 50,000
 * of about the same length if they are long, and the beginnings of 20,000 with the same two letters.
 */
create function private.closest_words(_word text)
returns text[] language plpgsql stable set search_path = '' as $$
begin return (
  with allowed as (
    select case when length(_word) < 5 then 1 when length(_word) < 9 then 2 else 3 end as letters
     where length(_word) between 4 and 30
  ), compared as (
    (select word from private.book_words where word between left(_word, 1) and left(_word, 1) || chr(1114111) limit 50000)
    union all
    -- Another first letter counts as half a letter more, which leaves up to eight letters no other change, swapped letters apart.
    select word from private.book_words
     where length(_word) between 5 and 8 and substr(word, 2) = any (array[substr(_word, 2), _word])
    union all
    select word from private.book_words
     where length(_word) between 5 and 8 and word = any (array[substr(_word, 2), substr(_word, 2, 1) || left(_word, 1) || substr(_word, 3)])
    union all
    (select word from private.book_words
      where length(_word) > 8 and length(word) between length(_word) - 2 and length(_word) + 2 limit 50000)
  ), near as materialized (
    select distinct w.word, changed, a.letters
      from allowed a
      join compared w on length(w.word) between length(_word) - a.letters and length(_word) + a.letters
     cross join extensions.levenshtein_less_equal(w.word, _word, a.letters + 1) as changed
     where changed <= a.letters + 1
  ), rated as (
    select word, letters,
           changed - case when changed > 1 and length(word) = length(_word)
                           and private.sorted_letters(word) = private.sorted_letters(_word) then 1 else 0 end
             + case when left(word, 1) = left(_word, 1) then 0 else 0.5 end as far
      from near
    union all
    select w.word, a.letters, min(changed) + 0.9
      from allowed a
      join (select distinct word
              from (select word from private.book_words where word between left(_word, 2) and left(_word, 2) || chr(1114111) limit 20000) as same
             where length(word) > length(_word) + 1) as w on a.letters > 1,
           generate_series(length(_word) - 1, length(_word) + 1) as beginning,
           extensions.levenshtein_less_equal(left(w.word, beginning), _word, a.letters - 1) as changed
     group by w.word, a.letters having min(changed) < a.letters
  ), likely as materialized (
    select array_agg(word order by far, word) as words, array_agg(far order by far, word) as fars
      from (select * from rated where far <= letters order by far, word limit 6) as best
  ), living as (
    select word, far, greatest(least(30, estimate), found.books) as books
      from likely,
           unnest(words, fars, private.estimate_books(array(
             select format('b.word_text like %L', '% ' || word || ' %') from unnest(words) as word))) as item (word, far, estimate),
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
); end $$;
grant execute on function private.closest_words to anon, authenticated, service_role;

/*
 * The words that were typed as one: 'readingadventures' as '{reading,adventures}'. As few as possible, each of at least three letters, four
 * on average, and from a book or the owner's list. Null if there are none.
 */
create function private.split_word(_word text)
returns text[] language plpgsql stable set search_path = '' as $$
declare
  letters constant int := length(_word);
  parts constant text[] := array(
    select distinct substr(_word, begins, length)
      from generate_series(1, letters - 2) as begins, generate_series(3, least(20, letters - begins + 1)) as length where length < letters);
  known constant text[] := array(
    select word from private.book_words where word = any (parts) union select s.words from private.search_words s where s.words = any (parts));
  -- The words of _word up to each of its letters.
  splits text[] := array_fill(null::text, array[letters]);
  longer text;
  found text[];
begin
  if letters not between 8 and 40 or _word !~ '^[a-z]+$' then return null; end if;
  for begins in 1..letters - 2 loop
    continue when begins > 1 and splits[begins - 1] is null;
    for ends in begins + 2..letters loop
      continue when substr(_word, begins, ends - begins + 1) <> all (known);
      longer := concat_ws(' ', splits[begins - 1], substr(_word, begins, ends - begins + 1));
      if splits[ends] is null or regexp_count(splits[ends], ' ') > regexp_count(longer, ' ') then splits[ends] := longer; end if;
    end loop;
  end loop;
  found := string_to_array(splits[letters], ' ');
  return case when cardinality(found) * 4 <= letters then found end;
end $$;
grant execute on function private.split_word to anon, authenticated, service_role;

/*
 * The first 12 words of the first 200 characters of a typed text. Up to three that no book has, nor a longer word, and that the owner's
 * list doesn't have either, are split.
 */
create function private.typed_words(_q text)
returns text[] language plpgsql stable set search_path = '' as $$
declare
  typed constant text[] := (string_to_array(private.search_form(private.clean_line(left(_q, 200))), ' '))[1:12];
  words text[] := '{}';
  tried int := 0;
  token text;
begin
  foreach token in array coalesce(typed, '{}') loop
    if tried < 3 and length(token) between 8 and 40
       and not exists (select from private.book_words b where b.word >= token and b.word < token || chr(1114111))
       and not exists (select from private.search_words s where s.known_by = private.without_s(token)) then
      tried := tried + 1;
      words := words || coalesce(private.split_word(token), array[token]);
    else
      words := words || token;
    end if;
  end loop;
  return words[1:12];
end $$;
grant execute on function private.typed_words to anon, authenticated, service_role;

/*
 * What a text looks for, term by term in its order: {"typed", "words", "corrections", "absent"}, words null for what says nothing, corrections
 * the words that a mistyped one may mean, absent whether surely no book has the term.
 */
create function private.plain_terms(_q text)
returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('typed', typed, 'words', words, 'corrections', '[]'::jsonb, 'absent', false) order by ordinal), '[]')
    from private.search_terms(_q)
$$;
grant execute on function private.plain_terms to anon, authenticated, service_role;

/* The same with corrections, for up to three terms that no book has. */
create function private.corrected_terms(_terms jsonb)
returns jsonb language plpgsql stable set search_path = '' as $$
declare
  estimates bigint[];
  corrections text[];
  corrected int := 0;
  terms jsonb := '[]';
  term record;
begin
  for term in
    select value, typed, words, position
      from jsonb_array_elements(_terms) with ordinality as item (value, position), jsonb_to_record(value) as each (typed text, words text[])
     order by position
  loop
    if cardinality(term.words) <= 2 and corrected < 3 and term.typed !~ '[0-9]' then
      -- What has never begun a word of a book needs no search of the books.
      if estimates is null and exists (
        select from unnest(term.words) as form
         where length(form) not between 4 and 30 or form ~ ' '
            or exists (select from private.book_words b where b.word >= form and b.word < form || chr(1114111))
      ) then
        estimates := private.estimate_books(array(
          select coalesce(private.words_condition(array(select jsonb_array_elements_text(nullif(each -> 'words', 'null')))), 'false')
            from jsonb_array_elements(_terms) with ordinality as all_terms (each, position) order by all_terms.position));
      end if;
      if coalesce(estimates[term.position], 0) = 0
         and not exists (select from public.books b where private.words_vector(b.word_text) @@ private.words_query(term.words)) then
        corrections := private.closest_words(term.typed);
        corrected := corrected + 1;
        term.value := term.value || jsonb_build_object('corrections', corrections, 'absent', cardinality(corrections) = 0);
      end if;
    end if;
    terms := terms || term.value;
  end loop;
  return terms;
end $$;
grant execute on function private.corrected_terms to anon, authenticated, service_role;
