import { getSession, subscribeSession } from "./session-store.ts";

/** Whose things a store keeps. */
export type Owner = { status: "unknown" | "signed-out" } | { status: "signed-in"; userId: string };

type PersonalStore = {
  setOwner(owner: Owner): void;
  load(options: { quiet: boolean }): Promise<void>;
  subscribe(listener: () => void): () => void;
};

/**
 * Keeps a store of somebody's things in step with who is signed in and with the other tabs, from the moment that
 * somebody looks at it. `channelName` names the store among the tabs.
 */
export function followPerson(store: PersonalStore, channelName: string) {
  let channel: BroadcastChannel | null = null;

  function start(): void {
    if (channel) return;
    channel = new BroadcastChannel(channelName);
    channel.addEventListener("message", () => void store.load({ quiet: true }));
    // A page that the browser kept and shows again may be hours old.
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
    start,
    subscribe(listener: () => void): () => void {
      start();
      return store.subscribe(listener);
    },
    /** Tells the other tabs that something changed; they read it again. */
    announce(): void {
      channel?.postMessage("changed");
    },
  };
}
