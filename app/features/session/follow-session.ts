import type { ReadableStore } from "#app/lib/react/create-store.ts";
import { getSession, subscribeSession } from "./session.ts";

/** Whose data a store holds. */
export type Owner = { status: "unknown" | "signed-out" } | { status: "signed-in"; userId: string };

type PersonalStore<State> = ReadableStore<State> & {
  setOwner(owner: Owner): void;
  load(options: { quiet: boolean }): Promise<void>;
};

/**
 * Keeps a store of personal data in step with the session and with other tabs, from its first subscriber on. The tabs
 * share changes through the broadcast channel `channelName`.
 */
export function followSession<State>(store: PersonalStore<State>, channelName: string) {
  let channel: BroadcastChannel | null = null;

  function start(): void {
    if (channel) return;
    channel = new BroadcastChannel(channelName);
    channel.addEventListener("message", () => void store.load({ quiet: true }));
    window.addEventListener("online", () => void store.load({ quiet: true }));
    // A page restored from the back/forward cache may be hours old.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void store.load({ quiet: true });
    });
    const follow = () => {
      const session = getSession();
      store.setOwner(
        session.status === "signed-in" ? { status: "signed-in", userId: session.user.id } : session,
      );
    };
    subscribeSession(follow);
    follow();
  }

  return {
    initial: store.initial,
    get: store.get,
    start,
    subscribe(listener: () => void): () => void {
      start();
      return store.subscribe(listener);
    },
    /** Notifies the other tabs of a change; they read the data again. */
    announce(): void {
      channel?.postMessage("changed");
    },
  };
}
