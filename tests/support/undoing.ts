import type { Query } from "./database.ts";

const undone = Symbol("undone");

/** A transaction of the owner that always ends with everything undone. */
export async function undoing<T>(
  transaction: (work: (query: Query) => Promise<never>) => Promise<unknown>,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  let result: { value: T } | null = null;
  try {
    await transaction(async (query) => {
      result = { value: await work(query) };
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  if (!result) throw new Error("The work has no result");
  return (result as { value: T }).value;
}
