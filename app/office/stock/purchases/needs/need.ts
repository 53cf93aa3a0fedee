import type { SchoolTerm } from "#shared/owner/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { Need, NeedingList } from "./need.admin-queries.ts";

/** The current term, if any, and future ones, in order. */
export function openTerms(terms: readonly SchoolTerm[], today: string): SchoolTerm[] {
  return terms.filter(({ to }) => to >= today).sort((one, other) => (one.from < other.from ? -1 : 1));
}

/** The default term: the next one, or the current one if the settings have no other. */
export function usualTerm(terms: readonly SchoolTerm[], today: string): SchoolTerm | undefined {
  const open = openTerms(terms, today);
  return open.find(({ from }) => from > today) ?? open[0];
}

/** How many lists a line names; it only counts the others. */
const NAMED_LISTS = 3;

const count = (copies: number) => copies.toLocaleString("en-GB");
const isCounted = ({ is_required, pupils }: NeedingList) => is_required && pupils !== null;
const className = ({ class_name, school }: NeedingList) => `${class_name} at ${school}`;

function describeList(list: NeedingList): string {
  const pupils = countOf(list.pupils ?? 0, "pupil");
  return list.copies === 1
    ? `${pupils} of ${className(list)}`
    : `${count(list.copies)} copies for each of ${pupils} of ${className(list)}`;
}

function describeLists(lists: readonly NeedingList[]): string {
  const counted = lists.filter(isCounted);
  const named = counted.slice(0, NAMED_LISTS).map(describeList);
  const others = counted.slice(NAMED_LISTS);
  const copies = others.reduce((sum, { pupils, copies }) => sum + (pupils ?? 0) * copies, 0);
  if (copies > 0)
    named.push(
      `${countOf(copies, "copy", "copies")} for ${countOf(others.length, "other class", "other classes")}`,
    );
  return named.join(" + ");
}

/**
 * Explains a title's proposal: first the calculation, then what it leaves out, a sentence each.
 * The first one is 'Needed 140 = 120 pupils of P4 at Asante Primary + 20 waiting; 30 in stock, 40 on their way → order 70'.
 */
export function explainNeed(need: Need): string[] {
  const { lists, listed, sold_in_year, sold_last_year, sold_in_term, waiting, needed } = need;
  const ofLists = Math.max(listed - sold_in_year, 0);
  const ofSales = Math.max(sold_last_year - sold_in_term, 0);
  const isListed = ofLists >= ofSales;
  const sources = {
    lists: `${describeLists(lists)}${sold_in_year > 0 ? ` − ${count(sold_in_year)} sold this school year` : ""}`,
    sales: `${count(sold_last_year)} sold in the same term last year${sold_in_term > 0 ? ` − ${count(sold_in_term)} sold for this one` : ""}`,
  };
  const parts = [
    ...(Math.max(ofLists, ofSales) > 0 ? [isListed ? sources.lists : sources.sales] : []),
    ...(waiting > 0 ? [`${count(waiting)} waiting`] : []),
  ];
  const available = [
    `${count(need.stock)} in stock`,
    ...(need.on_its_way > 0 ? [`${count(need.on_its_way)} on their way`] : []),
    ...(need.drafted > 0 ? [`${count(need.drafted)} in drafts`] : []),
  ];
  const unknown = lists.filter(({ is_required, pupils }) => is_required && pupils === null);
  const optional = lists.filter(({ is_required }) => !is_required);
  return [
    `Needed ${count(needed)}${parts.length > 0 ? ` = ${parts.join(" + ")}` : ""}; ${available.join(", ")} → order ${count(need.proposed)}`,
    ...(isListed && listed > 0 && ofLists === 0 ? [`Sold already: ${sources.lists}`] : []),
    // Both estimate the same need, so only the larger one counts.
    ...(isListed && sold_last_year > 0 ? [`Other estimate, from last year: ${sources.sales}`] : []),
    ...(!isListed && listed > 0 ? [`Other estimate, from booklists: ${sources.lists}`] : []),
    ...(unknown.length > 0 ? [`Pupils unknown: ${unknown.map(className).join(", ")}`] : []),
    ...(optional.length > 0 ? [`Optional, not counted: ${optional.map(className).join(", ")}`] : []),
  ];
}

/** Lines of one supplier; null for those without one. */
export type NeedGroup = { supplierId: string | null; name: string; needs: Need[] };

/** Groups lines by supplier in the given order; those without a supplier come last. */
export function groupNeeds(needs: readonly Need[]): NeedGroup[] {
  const groups = new Map<string | null, NeedGroup>();
  for (const need of needs) {
    const { supplier_id, supplier_name } = need;
    const group = groups.get(supplier_id) ?? {
      supplierId: supplier_id,
      name: supplier_name ?? "Without a supplier",
      needs: [],
    };
    group.needs.push(need);
    groups.set(supplier_id, group);
  }
  return [...groups.values()];
}
