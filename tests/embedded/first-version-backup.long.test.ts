import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { BackupWriter, readBackup } from "#server/shop/backup/backup-file.ts";
import type { Position, Table } from "#server/shop/backup/tables.ts";
import {
  command,
  newDataDir,
  openEmbeddedShop,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";

type Change = (table: Table, rows: string[]) => { table: Table; rows: string[] };

const without = (table: Table, column: string): Table => ({
  ...table,
  columns: table.columns.filter((each) => each !== column),
});

/** A row's text without a value, and the spelling that the database gives it. */
const cut = (row: string, column: string) =>
  row.replace(new RegExp(`, "${column}": [^,}]+|"${column}": [^,}]+, `), "");

/** In the spelling of the database: the column's value is an object, which `cut` can't take out. */
function withoutSettings(row: string): string {
  const { settings, ...others } = JSON.parse(row);
  const values = Object.entries(others).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return `{${values.join(", ")}}`;
}

/** Settings that a shop without the demo starts with, and that the first version did not know. */
const laterSettings = [
  ...["replyPromise", "publishersIntroduction", "guidanceHeadline", "guidanceIntroduction"],
  ...["guidanceReasons", "guidanceSteps", "guidanceOffer"],
];

/** As the first version had them: accounts with a column that no longer exists, orders without numbers, the newest one first. */
const toFirstVersion: Change = (table, rows) => {
  if (table.name === "auth.users") {
    const columns = [...table.columns, "is_super_admin"];
    return {
      table: { ...table, columns },
      rows: rows.map((row) => row.replace(/}$/, ', "is_super_admin": false}')),
    };
  }
  if (table.name === "public.terms_versions")
    return { table: without(table, "settings"), rows: rows.map(withoutSettings) };
  if (table.name === "public.shop_settings")
    return { table, rows: rows.filter((row) => !laterSettings.includes(JSON.parse(row).id)) };
  if (table.name !== "public.orders") return { table, rows };
  return { table: without(table, "number"), rows: rows.map((row) => cut(row, "number")).reverse() };
};

/** What the migrations after the first release have added: a backup of that release has none of it. */
const laterTables = [
  "auth.mfa_amr_claims",
  "auth.mfa_challenges",
  "auth.mfa_factors",
  "private_shop.known_devices",
  "private_shop.recovery_codes",
  "private_shop.used_steps",
  "private.book_costs",
  "private.digital_files",
  "private.earlier_first_settings",
  "private.file_downloads",
  "private.first_settings",
  "private.licence_codes",
  "private.sales",
  "private.sales_changes",
  "private.sales_checks",
  "private.event_links",
  "private.quote_links",
  "private.unmet_demand",
  "public.closings",
  "public.consultation_answers",
  "public.consultations",
  "public.event_registrations",
  "public.event_subscribers",
  "public.events",
  "public.stock_count_books",
  "public.stock_counts",
  "public.stock_scans",
  "public.purchase_order_lines",
  "public.purchase_orders",
  "public.receipt_lines",
  "public.receipts",
  "public.staff_duties",
  "public.suppliers",
];
const laterColumns: Readonly<Record<string, readonly string[]>> = {
  "private.delivery_fees": ["method"],
  "private.gone_books": ["digital_by"],
  "public.book_imports": ["sets_stock"],
  "public.booklists": ["pupils"],
  "public.books": ["shelf", "kind", "digital_by"],
  "public.order_items": ["kind"],
  "public.order_events": ["reopened"],
  "public.orders": ["carrier", "parcel_number", "driver_phone"],
  "public.outgoing_emails": ["from_status"],
  "public.stock_movements": ["note", "change_id"],
};

/** A migration of the first version: the first release has other ones. */
const versions = ["20261101000100"];

/** Writes a backup anew as the first version would have, with tables and a sequence that this version does not have. */
async function rewrite(from: string, to: string, change: Change, extra: Table[]): Promise<void> {
  const writer = new BackupWriter(to);
  const tables = new Map<string, { table: Table; rows: string[] }>();
  const positions: Position[] = [];
  for await (const entry of readBackup(from)) {
    if (entry.kind === "secrets") await writer.start(versions, entry.secrets, new Date());
    if (entry.kind === "table") tables.set(entry.table.name, { table: entry.table, rows: [] });
    if (entry.kind === "rows") tables.get(entry.table.name)?.rows.push(...entry.rows);
    if (entry.kind === "position" && entry.position.name.startsWith("public."))
      positions.push(entry.position);
  }
  for (const table of extra) {
    await writer.table(table);
    await writer.rows(['{"id": 1}']);
  }
  for (const name of ["private.demo_rows", "private.tallies", ...laterTables]) tables.delete(name);
  for (const { table, rows } of tables.values()) {
    const later = laterColumns[table.name] ?? [];
    const changed = change(
      later.reduce(without, table),
      rows.map((row) => later.reduce(cut, row)),
    );
    await writer.table(changed.table);
    if (rows.length > 0) await writer.rows(changed.rows);
  }
  const isLater = ({ name }: Position) => laterTables.some((table) => name.startsWith(`${table}_`));
  for (const position of positions) if (!isLater(position)) await writer.position(position);
  await writer.position({ name: "auth.refresh_tokens_id_seq", last: "7" });
  await writer.finish();
}

async function newPlace() {
  const place = { DATA_DIR: await newDataDir(), SHOP_DEMO: "0" };
  onTestFinished(() => removeFolder(place.DATA_DIR));
  return place;
}

/** A shop with two orders of one customer, and its backup. */
let traded: Awaited<ReturnType<typeof tradedShop>>;
beforeAll(async () => {
  traded = await tradedShop();
});
afterAll(() => traded && removeFolder(traded.place.DATA_DIR));

async function tradedShop() {
  const place = { DATA_DIR: await newDataDir(), SHOP_DEMO: "0" };
  await copyPreparedFolder(place.DATA_DIR);
  const shop = await openEmbeddedShop(place);
  const book = await addBook(shop.owner, { price: 20, stock_quantity: 9 });
  const person = await signUp(shop);
  const orders: string[] = [];
  for (const quantity of [1, 2]) orders.push(await placeOrder(person, book, quantity));
  await shop.stop();
  const file = join(place.DATA_DIR, "now.jsonl.gz");
  expect(await command("backup", [file], place)).toMatchObject({ code: 0 });
  return { place, file, email: person.email, orders };
}

test("A backup of the first version can be restored: its orders have numbers and are counted, and its customers can sign in", async () => {
  const { place, file, email, orders } = traded;
  const old = join(place.DATA_DIR, "first-version.jsonl.gz");
  const gone = ["auth.identities", "auth.flow_state"].map((name) => ({ name, columns: ["id"] }));
  await rewrite(file, old, toFirstVersion, gone);
  const target = await newPlace();
  const { code, output } = await command("restore", [old], target);
  expect(output.split("\n")[0]).toBe(
    "Left out, because this version has no place for it: auth.identities, auth.flow_state, auth.users.is_super_admin.",
  );
  expect([code, output]).toEqual([0, expect.stringContaining("Restored and compared: ")]);
  const shop = await openEmbeddedShop(target);
  onTestFinished(shop.stop);
  const person = await signIn(shop, email);
  const { data } = await person.client.from("orders").select("id, number").order("number");
  expect(data).toEqual(orders.map((id, at) => ({ id, number: 1001 + at })));
  const { data: totals } = await shop.owner.rpc("dashboard_stats");
  expect(totals).toMatchObject([{ total_books: 1, total_orders: 2 }]);
});

test("A table or column of the shop itself is never left out: such a backup is refused", async () => {
  const { place, file } = traded;
  const loyalty = { name: "public.loyalty", columns: ["id"] };
  const addColumn: Change = (table, rows) =>
    table.name === "public.books"
      ? { table: { ...table, columns: [...table.columns, "shelf"] }, rows }
      : { table, rows };
  const cases: [change: Change, extra: Table[], answer: string][] = [
    [(table, rows) => ({ table, rows }), [loyalty], "public.loyalty has no id"],
    [addColumn, [], "public.books has no shelf"],
  ];
  for (const [change, extra, answer] of cases) {
    const odd = join(place.DATA_DIR, "odd.jsonl.gz");
    await rewrite(file, odd, change, extra);
    const { code, output } = await command("restore", [odd], await newPlace());
    expect([code, output]).toEqual([1, `The backup does not fit this version: ${answer}`]);
  }
});

test("Rate limits and waiting emails with their links are not in a backup", async () => {
  const { file } = traded;
  const names: string[] = [];
  for await (const entry of readBackup(file)) if (entry.kind === "table") names.push(entry.table.name);
  expect(names).toContain("private_shop.sign_ups");
  expect(names).not.toContain("private_shop.attempts");
  expect(names).not.toContain("private_shop.account_tasks");
});
