/** Whether the backend's process is running, to a web process's knowledge. */
export type Presence = ReturnType<typeof createPresence>;

/** @param onChange called at every change */
export function createPresence(onChange: (isUp: boolean) => void = () => {}) {
  let isUp = false;
  let arrived = Promise.withResolvers<void>();
  return {
    isUp: () => isUp,
    /** Resolves once it is running. */
    arrival: () => arrived.promise,
    set(now: boolean): void {
      if (now === isUp) return;
      isUp = now;
      if (isUp) arrived.resolve();
      else arrived = Promise.withResolvers();
      onChange(isUp);
    },
  };
}
