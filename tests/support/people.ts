import type { Person, Row } from "./database.ts";

export type SignedIn = { role: "authenticated"; id: string };

export const visitor: Person = { role: "anon" };
export const secretKey: Person = { role: "service_role" };

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
