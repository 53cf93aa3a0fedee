-- How a function that runs as the owner is called through the API.

/*
 * Lets clients call a private function, which runs as the owner and checks its caller: creates a function of the same name, arguments and
 * result in the schema public, which runs with the caller's rights and only calls it, and grants both to these roles. The data API reads a
 * function's own statement_timeout, so the public function has it too.
 */
create function private.expose(_name text, variadic _roles text[])
returns void language plpgsql set search_path = '' as $$
declare
  called constant pg_catalog.pg_proc := p from pg_catalog.pg_proc as p where p.oid = ('private.' || _name)::regproc;
  arguments constant text := array_to_string(called.proargnames[1:called.pronargs], ', ');
  timeout constant text := substring(array_to_string(called.proconfig, E'\n') from '(?n)^statement_timeout=(.*)$');
begin
  execute format('create or replace function public.%I(%s) returns %s language sql %s set search_path = '''' %s as %L',
    _name, pg_catalog.pg_get_function_arguments(called.oid), pg_catalog.pg_get_function_result(called.oid),
    case called.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end,
    'set statement_timeout = ' || quote_literal(timeout),
    format('select %sprivate.%I(%s)', case when called.proretset then '* from ' else '' end, _name, arguments));
  execute format('grant execute on function private.%1$I, public.%1$I to %2$s', _name, array_to_string(_roles, ', '));
end $$;
