import { sortGeneratorMetadata } from "@supabase/postgrest-typegen";
import { generateTypescript } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import { openDatabase } from "./database.ts";

/** The TypeScript types of the schema public as the migrations make it, as `supabase gen types` would write them. */
export async function generateTypes(): Promise<string> {
  const database = await openDatabase();
  try {
    const metadata = await introspect(
      { query: async (sql) => ({ rows: await database.query(sql) }) },
      { includedSchemas: ["public"] },
    );
    return await generateTypescript(sortGeneratorMetadata(metadata), { postgrestVersion: "14" });
  } finally {
    await database.close();
  }
}
