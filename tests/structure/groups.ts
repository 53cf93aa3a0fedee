/** Groups of folders by name, in their order: which others a group imports, and its folders, the lowest first. */
type Groups = Readonly<Record<string, { imports: readonly string[]; folders: readonly string[] }>>;

export type Group = { name: string; imports: readonly string[]; folders: readonly string[] };

/** Reads a list of groups: a folder imports those of the groups that its own group names, and those before it in its own. */
export function readGroups(list: Groups) {
  const groups: readonly Group[] = Object.entries(list).map(([name, group]) => ({ name, ...group }));
  const groupOf = (folder: string) => groups.find(({ folders }) => folders.includes(folder));
  /** Whether a folder may import another one. */
  function mayImport(folder: string, imported: string): boolean {
    const group = groupOf(folder);
    const other = groupOf(imported);
    if (!group || !other) return false;
    if (group !== other) return group.imports.includes(other.name);
    return group.folders.indexOf(imported) <= group.folders.indexOf(folder);
  }
  return { groups, groupOf, mayImport };
}

/** The arrows between groups that name a group at or below their own: there must be none. */
export function upwardArrows(groups: readonly Group[]): string[] {
  const names = groups.map(({ name }) => name);
  return groups.flatMap(({ name, imports }) =>
    imports
      .filter((other) => !names.slice(0, names.indexOf(name)).includes(other))
      .map((other) => `${name} -> ${other}`),
  );
}
