import { compareCatalogues, readCatalogue } from "./catalogue.ts";
import { migrate, openDatabase } from "./database.ts";
import { buildSchema } from "./schema.ts";

/** One line for each thing that supabase/migrations and supabase/schema create differently. */
export async function findSchemaDifferences(): Promise<string[]> {
  const databases = [await openDatabase({ migrate: false }), await openDatabase({ migrate: false })] as const;
  const [migrated, stated] = databases;
  try {
    await Promise.all([migrate(migrated), stated.run(buildSchema())]);
    return compareCatalogues(await readCatalogue(migrated.query), await readCatalogue(stated.query));
  } finally {
    for (const database of databases) await database.close();
  }
}
