import { CACHES } from "#app/features/offline/stored.ts";
import {
  DATA_OWNER_KEY,
  FORGET_EVENT,
  SAVED_PREFIX,
  SESSION_KEY,
  STORAGE_PREFIX,
  TAB_PREFIX,
} from "#app/lib/browser/env.ts";
import { removeKeys, withStorage } from "#app/lib/browser/storage.ts";
import { FORMER_OWNER_KEY, forgetOthersOffice } from "./office-tab.ts";

const CHANNEL = "adwene-sign-out";

/** On signing out: nothing that the user read or typed stays in this browser, in any tab. */
export function forgetPersonal(): void {
  forgetTab();
  forgetBrowser();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage("signed out");
  channel.close();
}

/** Clears this tab when the user signs out in another one. */
export function followForgetting(): void {
  new BroadcastChannel(CHANNEL).addEventListener("message", forgetTab);
}

/**
 * Called whenever it is known who is signed in. What is stored for someone else is deleted. When a session expires,
 * what was read is deleted, and what was typed stays for the same user.
 */
export function deleteOthersData(userId: string | null): void {
  if (userId) forgetOthersOffice(userId);
  withStorage("local", (storage) => {
    const owner = storage.getItem(DATA_OWNER_KEY);
    if (userId === owner) return;
    if (userId) {
      if ((owner ?? storage.getItem(FORMER_OWNER_KEY) ?? userId) !== userId) forgetBrowser();
      storage.setItem(DATA_OWNER_KEY, userId);
    } else if (owner) {
      removeKeys("local", (key) => key.startsWith(SAVED_PREFIX) || key === DATA_OWNER_KEY);
      storage.setItem(FORMER_OWNER_KEY, owner);
      void deletePages();
    }
  });
}

/** What this tab stores, such as an address typed at checkout, and what is open in it. */
function forgetTab(): void {
  removeKeys("tab", (key) => key.startsWith(TAB_PREFIX));
  window.dispatchEvent(new Event(FORGET_EVENT));
}

function forgetBrowser(): void {
  removeKeys("local", (key) => key.startsWith(STORAGE_PREFIX) && !key.startsWith(SESSION_KEY));
  void deletePages();
}

/** Stored pages are the same for everybody, but show what was read here. */
async function deletePages(): Promise<void> {
  for (const name of [CACHES.pages, CACHES.pictures]) await window.caches?.delete(name);
}
