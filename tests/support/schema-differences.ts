import { compareCatalogues, readCatalogue } from "./catalogue.ts";
import { migrate, openDatabase } from "./database.ts";
import { buildSchema } from "./schema.ts";

/** One line for each thing that supabase/migrations and supabase/schema create differently. */
export async function findSchemaDifferences(): Promise<string[]> {
  const migrated = await openDatabase({ migrate: false });
  const stated = await openDatabase({ migrate: false });
  try {
    await Promise.all([migrate(migrated), stated.run(buildSchema())]);
    return compareCatalogues(await readCatalogue(migrated.query), await readCatalogue(stated.query));
  } finally {
    await stated.close();
    // In a script, the first database's server ends with it.
    await migrated.close();
  }
}
