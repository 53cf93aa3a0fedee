/**
 * postgres.js (3.4.9) may write to a connection that has just been lost, a rollback for instance, and throws where no
 * code can catch it. The caller already has its error, and the pool opens another connection.
 */
export function isWriteToLostConnection(error: Error): boolean {
  return (
    error instanceof TypeError && /postgres\/src\/connection\.js/.test(error.stack?.split("\n")[1] ?? "")
  );
}
