import { searchWords } from "#app/owner/search-words.ts";
import { shop } from "#app/owner/shop.ts";
import type { Sql } from "../database/sql.ts";
import { writeDeliveryFees } from "./delivery-fees.ts";

/**
 * Writes the lists from the owner's files that the database needs: delivery fees, words that mean the same, and the shop's name,
 * which no reviewer may use.
 * @throws StartError when one is invalid
 */
export async function writeOwnersLists(sql: Sql): Promise<void> {
  await writeDeliveryFees(sql, shop.delivery.fees);
  await sql.query("select private.set_shop_name($1)", [shop.name]);
  await sql.query("select private.set_search_words($1::text::jsonb)", [JSON.stringify(searchWords)]);
}
