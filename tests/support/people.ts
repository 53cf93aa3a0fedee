import { randomUUID } from "node:crypto";
import type { Database, Person, Row } from "./database.ts";

export type SignedIn = { role: "authenticated"; id: string };

export const visitor: Person = { role: "anon" };
export const secretKey: Person = { role: "service_role" };

/** A person with an account, as signing up makes one. */
export async function addCustomer(
  database: Database,
  data: Row = { full_name: "A customer" },
): Promise<SignedIn> {
  const id = randomUUID();
  await database.query("insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3::jsonb)", [
    id,
    `${id}@shop.test`,
    data,
  ]);
  return { role: "authenticated", id };
}

/** An account with this role, given by the owner. */
export async function addStaff(database: Database, role: "admin" | "moderator"): Promise<SignedIn> {
  const person = await addCustomer(database, { full_name: `A ${role}` });
  await database.query("insert into public.user_roles (user_id, role) values ($1, $2)", [person.id, role]);
  return person;
}

export type Refusal = { code: string; message: string; detail: Row | null };

/** The error with which the database refuses a request: its SQLSTATE, its words and its detail read as JSON. */
export async function refusalOf(request: Promise<unknown>): Promise<Refusal> {
  try {
    await request;
  } catch (error) {
    const { code, message, detail } = error as { code?: string; message: string; detail?: string };
    if (!code) throw error;
    return { code, message, detail: detail?.startsWith("{") ? (JSON.parse(detail) as Row) : null };
  }
  throw new Error("The request was not refused.");
}
