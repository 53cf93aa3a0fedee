-- The words of a book, by which a search that finds little goes on.

/*
 * A text as words in a row: folded, without apostrophes, punctuation and 'and'; a letter and a digit beside each other are apart, so
 * that 'JHS1' is 'jhs 1'. A plus stays: '11+' is a word. 'Key Stage 3' becomes 'ks 3', because it isn't stage 3.
 */
create function private.search_form(_text text)
returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  form text := replace(private.fold(_text), '''', '');
begin
  -- Runs when an order takes a copy of a book, so rare patterns are looked for before they are replaced.
  if form ~ '[0-9]' then
    form := regexp_replace(form, '([a-z])(?=[0-9])|([0-9])(?=[a-z])', '\1\2 ', 'g');
  end if;
  form := regexp_replace(form, '[[:space:][:cntrl:]!-*,-/:-@[-`{-~]+', ' ', 'g');
  if strpos(form, ' and ') > 0 then
    form := regexp_replace(form, ' and(?= )', '', 'g');
  end if;
  if strpos(form, 'key stage ') > 0 then
    form := regexp_replace(form, '\mkey stage(?= [0-9])', 'ks', 'g');
  end if;
  return btrim(replace(' ' || form || ' ', '  ', ' '));
end $$;
grant execute on function private.search_form to anon, authenticated, service_role;

/*
 * The words of these fields, separated by ' | ', with a space around each word. Same result as search_form on each field, but in one
 * call: every update of a book recomputes this, including an order that takes stock. A character that no text uses separates the fields
 * until then.
 */
create function private.word_text(_fields text[])
returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  mark constant text := chr(65535);
begin
  return ' ' || regexp_replace(private.search_form(array_to_string(_fields, mark, '')), ' *' || mark || ' *', ' | ', 'g') || ' ';
end $$;
grant execute on function private.word_text to authenticated, service_role;

/* The words of a book's word_text, each cut after 60 characters: a tsvector refuses words of more than 2 kB. */
create function private.words_vector(_word_text text)
returns tsvector language sql immutable parallel safe strict set search_path = '' cost 1000 as $$
  select array_to_tsvector(array_agg(distinct left(word, 60)))
    from unnest(string_to_array(_word_text, ' ')) as word where word not in ('', '|')
$$;
grant execute on function private.words_vector to anon, authenticated, service_role;
