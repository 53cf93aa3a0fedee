import { searchWords } from "#app/search-words.ts";
import { shop } from "#app/shop.ts";
import { writeDeliveryFees } from "./delivery-fees.ts";
import type { Sql } from "./sql.ts";

/**
 * Writes the lists from the owner's files that the database needs: delivery fees, and words that mean the same.
 * @throws StartError when one is invalid
 */
export async function writeOwnersLists(sql: Sql): Promise<void> {
  await writeDeliveryFees(sql, shop.delivery.fees);
  await sql.query("select private.set_search_words($1::text::jsonb)", [JSON.stringify(searchWords)]);
}
