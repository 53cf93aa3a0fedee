-- What a search that finds little can fall back on: the words of each book, and their synonyms.

/* Words without the s of a plural or genitive: 'teachers guide' and 'teacher guides' are the same line of the owner's list. */
create function private.without_s(_words text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select regexp_replace(_words, '([a-z]{2}[^s0-9 ])s(?= |$)', '\1', 'g')
$$;
grant execute on function private.without_s to anon, authenticated, service_role;

-- Words of one line mean the same: the setting searchWords, written here when an admin changes it; until then the owner's list,
-- shared/owner/search-words.ts, which each start of the shop and `npm run migrate` write here.
create table private.search_words (
  line integer not null,
  words text collate "C" not null,
  known_by text collate "C" generated always as (private.without_s(words)) stored,
  primary key (words, line)
);
create index search_words_by_known_by on private.search_words (known_by);
create index search_words_by_line on private.search_words (line);
grant select on private.search_words to anon, authenticated, service_role;

/* Replaces the owner's list: [["maths", "mathematics"], …]. */
create function private.set_search_words(_lines jsonb)
returns void language plpgsql set search_path = '' as $$
begin
  delete from private.search_words;
  insert into private.search_words (line, words)
  select distinct position, form
    from jsonb_array_elements(_lines) with ordinality as item (words, position),
         jsonb_array_elements_text(item.words) as word, private.search_form(word) as form
   where form <> '';
end $$;

-- Every word that a book has ever been described by, for corrections of typing errors. Words of deleted books stay:
-- corrections check that a book still has them. Not unique: two writers of the same new words would wait for each other, or
-- deadlock; instead each adds its own.
create table private.book_words (
  word text collate "C" not null
);
create index book_words_by_word on private.book_words (word);
-- For corrections: words that differ in the first letter alone, and words of about the same length.
create index book_words_by_rest on private.book_words (substr(word, 2));
create index book_words_by_length on private.book_words (length(word));
grant select on private.book_words to anon, authenticated, service_role;

/* Adds the words of these texts that are new. */
create function private.keep_book_words(_texts text[])
returns void language sql security definer set search_path = '' as $$
  insert into private.book_words (word)
  select distinct word from unnest(_texts) as described (text), regexp_split_to_table(text, ' ') as item (word)
   where length(word) between 3 and 30 and word !~ '[0-9]'
     and not exists (select from private.book_words entry where entry.word = item.word)
$$;

create function private.keep_new_book_words()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_book_words(array(select word_text from added));
  return null;
end $$;

create function private.keep_changed_book_words()
returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.keep_book_words(array[new.word_text]);
  return null;
end $$;

/* A word, and its singular or what its plural begins with. */
create function private.word_forms(_word text)
returns text[] language sql immutable parallel safe strict set search_path = '' as $$
  select case
    when _word ~ '...ies$' then array[_word, left(_word, -3) || 'y']
    when _word ~ '...[^aeiou]y$' then array[_word, left(_word, -1) || 'ie']
    when _word ~ '...(ch|sh|ss|x)es$' then array[_word, left(_word, -2)]
    when _word ~ '..[^s]s$' then array[_word, left(_word, -1)]
    else array[_word]
  end
$$;
grant execute on function private.word_forms to anon, authenticated, service_role;

/*
 * What a typed text looks for, in its order: each word, or several that the owner's list knows as one, with all that means the same
 * (itself first). "words" is null for what says nothing, such as 'the'. Of several words, a number may be written as any word that the
 * list has for it: 'year four' is 'year 4'.
 */
create function private.search_terms(_q text)
returns table (ordinal int, typed text, words text[]) language plpgsql stable set search_path = ''
-- Otherwise each word's query is planned again: 9.5 ms in place of 4.9 ms for six words, with 100,000 books.
set plan_cache_mode = force_generic_plan as $$
declare
  fillers constant text[] := '{a,an,the,of,for,in,on,to,with,by,my,i,is,me,we,need,want,looking,buy,please,book,books,new}';
  tokens constant text[] := private.typed_words(_q);
  last constant int := cardinality(tokens);
  numbered constant text[] := array(
    select coalesce((select min(digits.words) from private.search_words entry join private.search_words digits on digits.line = entry.line
                      where entry.words = token and digits.words ~ '^[0-9]+$'), token)
      from unnest(tokens) with ordinality as each (token, position) order by each.position);
  all_fillers constant boolean := tokens <@ fillers;
  at int := 1;
  taken int;
begin
  ordinal := 0;
  while at <= last loop
    ordinal := ordinal + 1;
    -- The longest text from here that the owner's list has, in one of its forms.
    select length, array_agg(distinct other.words), case when bool_or(entry.known_by = any (forms)) then said else digits end
      into taken, words, typed
      from generate_series(least(5, last - at + 1), 1, -1) as length
     cross join array_to_string(tokens[at:at + length - 1], ' ') as said
     cross join array_to_string((case when length > 1 then numbered else tokens end)[at:at + length - 1], ' ') as digits
     cross join lateral (select array[private.without_s(said), (private.word_forms(said))[2]] as forms) as singular
      join private.search_words entry on entry.known_by = any (forms || private.without_s(digits))
      join private.search_words other on other.line = entry.line
     group by length, said, digits order by length desc limit 1;
    if taken is null then
      taken := 1;
      typed := tokens[at];
      words := case when all_fillers or typed <> all (fillers) then '{}'::text[] end;
    end if;
    if words is not null then
      words := private.word_forms(typed) || array(
        select form from unnest(words) as word, unnest(private.word_forms(word)) as form
         where form <> all (private.word_forms(typed)) group by form order by form);
    end if;
    return next;
    at := at + taken;
  end loop;
end $$;
grant execute on function private.search_terms to anon, authenticated, service_role;

/* The LIKE pattern that finds words in a book's word_text: at the start of a word, or whole if they have less than four letters or end in a digit. */
create function private.words_pattern(_words text)
returns text language sql immutable parallel safe strict set search_path = '' as $$
  select case when length(_words) < 4 or _words ~ '[0-9+]$' then '% ' || _words || ' %' else '% ' || _words || '%' end
$$;
grant execute on function private.words_pattern to anon, authenticated, service_role;

/* What a book's words_vector must match to have one of these words: an entry of several words matches if all are there, in any order. */
create function private.words_query(_words text[])
returns tsquery language sql immutable parallel safe set search_path = '' as $$
  select string_agg('(' || phrase || ')', ' | ')::tsquery
    from unnest(_words) as words,
         lateral (select string_agg(
                           quote_literal(left(word, 60))
                           || case when position = count and private.words_pattern(words) not like '% \%' then ':*' else '' end,
                           ' & ') as phrase
                    from (select word, position, count(*) over () as count
                            from unnest(string_to_array(words, ' ')) with ordinality as each (word, position)) as each) as phrases
$$;
grant execute on function private.words_query to anon, authenticated, service_role;

/* The condition that a book b has one of these words. */
create function private.words_condition(_words text[])
returns text language sql immutable parallel safe set search_path = '' as $$
  select '(' || string_agg(format('b.word_text like %L', private.words_pattern(word)), ' or ') || ')' from unnest(_words) as word
$$;
grant execute on function private.words_condition to anon, authenticated, service_role;
