import type { PGlite } from "@electric-sql/pglite";

type Failure = { severity?: string; code?: string };

/**
 * A PostgreSQL server that cannot write its log ends itself (PANIC) and is started again. PGlite stays, and turns
 * for ever at the next statement, so that not even a timer runs: the process has to be ended before that.
 * @param onPanic must end the process at once
 */
export function watchForPanic(
  database: Pick<PGlite, "execProtocol" | "execProtocolStream">,
  onPanic: () => void,
): void {
  const look = (error: Failure): never => {
    if (error.severity === "PANIC" || error.severity === "FATAL") onPanic();
    throw error;
  };
  const { execProtocol, execProtocolStream } = database;
  database.execProtocol = (...words) => execProtocol.apply(database, words).catch(look);
  database.execProtocolStream = (...words) => execProtocolStream.apply(database, words).catch(look);
}
