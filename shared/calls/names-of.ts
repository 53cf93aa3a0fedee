type Named = { name: string };

/** The names of those fields in a list that have these properties, as in a query, from which a response's type follows. */
export type NamesOf<Fields, Wanted = object> = Fields extends readonly [
  infer First extends Named,
  ...infer Rest,
]
  ? First extends Wanted
    ? `${First["name"]},${NamesOf<Rest, Wanted>}`
    : NamesOf<Rest, Wanted>
  : "";
