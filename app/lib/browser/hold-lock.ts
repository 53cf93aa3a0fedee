/**
 * Holds a lock that one tab of this browser can have at a time, until the returned function is called or the tab closes.
 * @param onKnown gets whether this tab has it: false once another one has had it for `timeoutMs`, and at once where the browser has no
 * locks, as on a page without HTTPS
 */
export function holdLock(
  name: string,
  { timeoutMs, onKnown }: { timeoutMs: number; onKnown: (isHeld: boolean) => void },
): () => void {
  let isWanted = true;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tell = (isHeld: boolean) => isWanted && onKnown(isHeld);
  const locks = navigator.locks as LockManager | undefined;
  if (locks)
    locks
      .request(name, { signal: AbortSignal.timeout(timeoutMs) }, () => {
        tell(true);
        return released;
      })
      .catch(() => tell(false));
  else tell(false);
  return () => {
    isWanted = false;
    release();
  };
}
