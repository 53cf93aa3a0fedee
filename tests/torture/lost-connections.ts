import { isLost } from "#server/database/connections.ts";
import { isWriteToLostConnection } from "#server/lib/driver-fault.ts";

/** The error codes of a server that has lost its disk or is shutting down. */
const serverCode = /^(53|57|58|XX)...$/;

/**
 * A process whose database is killed on purpose gets errors of the driver's own (its question for types on a connection
 * that has just been opened, say) that cannot be caught; in production they restart the backend. Any pending
 * call fails as well.
 */
export function ignoreLostConnections(): void {
  process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
    // A file of the test's own that is missing or cannot be read is another matter.
    const ofAFile = error.path !== undefined;
    if (!ofAFile && (isWriteToLostConnection(error) || isLost(error) || serverCode.test(error.code ?? "")))
      return;
    console.error(error);
    process.exit(1);
  });
}
