import { readDemoCatalogue, readRows } from "./demo-catalogue.ts";
import { demoId } from "./demo-id.ts";
import type { Query } from "./index.ts";

/** The booklists of three schools that do not exist, from the CSV files beside this one. */

export type DemoBooklist = {
  id: string;
  code: string;
  school: string;
  class_name: string;
  school_year: string;
  status: string;
  is_listed: boolean;
  introduction: string | null;
};

export type DemoBooklistLine = {
  id: string;
  booklist_id: string;
  position: number;
  /** Null where the shop does not sell it. */
  book_id: string | null;
  title: string;
  copies: number;
  is_required: boolean;
  note: string | null;
};

const codeCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The same list has the same code in every shop, so that links to the demo keep working. */
function demoCode(id: string): string {
  const digits = [...id.replaceAll("-", "").matchAll(/../g)].slice(0, 10);
  return digits.map(([hex]) => codeCharacters[Number.parseInt(hex, 16) % 32]).join("");
}

/**
 * Reads the demo's booklists from their files.
 * @throws Error naming the line when it names a list or book that does not exist
 */
export function readDemoBooklists(): { lists: DemoBooklist[]; lines: DemoBooklistLine[] } {
  const idOf = (row: Record<string, string>) =>
    demoId("booklist", row.school ?? "", row.class_name ?? "", row.school_year ?? "");
  const lists = readRows("booklists.csv").map((row): DemoBooklist => {
    const id = idOf(row);
    const { school = "", class_name = "", school_year = "", status = "" } = row;
    return {
      id,
      code: demoCode(id),
      school,
      class_name,
      school_year,
      status,
      is_listed: row.is_listed === "yes",
      introduction: row.introduction || null,
    };
  });
  const { books } = readDemoCatalogue();
  const lastPositions = new Map(lists.map(({ id }) => [id, 0]));
  const lines = readRows("booklist-lines.csv").map((row): DemoBooklistLine => {
    const { title = "", publisher = "" } = row;
    const listId = idOf(row);
    const place = lastPositions.get(listId);
    const book = books.find((one) => one.title === title && one.publisher === publisher);
    if (place === undefined || (publisher && !book))
      throw new Error(`booklist-lines.csv names an unknown list or book: ${title}`);
    lastPositions.set(listId, place + 1);
    return {
      id: demoId("booklist line", listId, title),
      booklist_id: listId,
      position: place + 1,
      book_id: book?.id ?? null,
      title,
      copies: Number(row.copies),
      is_required: row.is_required === "yes",
      note: row.note || null,
    };
  });
  return { lists, lines };
}

/**
 * Adds the demo's booklists to a shop that has the demo's books; those that are there already stay as they are. In one
 * statement, so that an interrupted load leaves none.
 */
export async function seedDemoBooklists(sql: Query): Promise<void> {
  const { lists, lines } = readDemoBooklists();
  await sql(addBooklists, [JSON.stringify(lists), JSON.stringify(lines)]);
}

/* As in index.ts: the task keeps the demo out of the log of what people did. */
const addBooklists = `
  with quiet as materialized (
    select set_config('shop.task', 'demo', true)
  ), added as (
    insert into public.booklists (id, code, school, class_name, school_year, status, is_listed, introduction)
    select l.id, l.code, l.school, l.class_name, l.school_year, l.status, l.is_listed, l.introduction
      from quiet, jsonb_to_recordset($1::text::jsonb) as l (
        id uuid, code text, school text, class_name text, school_year text, status text, is_listed boolean, introduction text)
     where exists (select from private.demo_rows d join public.books b on b.id = d.id)
    on conflict (id) do nothing
    returning id
  ), marked as (
    insert into private.demo_rows (id) select id from added on conflict (id) do nothing
  )
  insert into public.booklist_lines (id, booklist_id, position, book_id, title, copies, is_required, note)
  select l.id, l.booklist_id, l.position, l.book_id, l.title, l.copies, l.is_required, l.note
    from added, jsonb_to_recordset($2::text::jsonb) as l (
      id uuid, booklist_id uuid, position int, book_id uuid, title text, copies int, is_required boolean, note text)
   where l.booklist_id = added.id`;
