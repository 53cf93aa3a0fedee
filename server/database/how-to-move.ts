/** What to do with a database that this version can neither read nor upgrade. */
export const howToMove =
  'get the version of the shop that made it into a folder of its own ("git worktree add ../old-shop ORIG_HEAD" gets the one before your last git pull) and make a backup with it ("npm run backup", with DATA_DIR set to this shop\'s); then restore it with this version ("npm run restore", with DATA_DIR set to an empty folder): see "Moving from an earlier version" in CHANGELOG.md';
