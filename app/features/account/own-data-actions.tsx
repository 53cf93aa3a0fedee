import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend, signOut } from "#app/features/session/backend.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { saveFile } from "#app/lib/browser/save-file.ts";
import { signOutEverywhere } from "./account.queries.ts";
import { readOwnData } from "./profile.queries.ts";

async function download(backend: BackendClient): Promise<void> {
  const data = await readOwnData(backend);
  const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json;charset=utf-8" });
  saveFile(file, "my-account.json");
}

async function leaveEverywhere(backend: BackendClient): Promise<void> {
  await signOutEverywhere(backend);
  await signOut();
}

/** Downloads everything that the shop holds about the customer, and ends their sessions on all devices. */
export function OwnDataActions() {
  const [busy, setBusy] = useState(false);

  async function run(failed: string, action: (backend: BackendClient) => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      requireConnection();
      await action(await getBackend());
    } catch (error) {
      logFailure(failed, error);
      showToast("error", failed, { description: customerMessage(error) ?? undefined });
    } finally {
      setBusy(false);
    }
  }

  return (
    <ul className="grid gap-6">
      <li>
        <p>
          A file with your details, orders, quotes, reviews, cart, wishlist and the books you're waiting for.
        </p>
        <Button
          variant="secondary"
          className="mt-3"
          busy={busy}
          onClick={() => void run("Failed to download your data", download)}
        >
          Download My Data
        </Button>
      </li>
      <li>
        <p>
          Use this if you've lost a phone or used someone else's computer. Your other devices are signed out
          within an hour.
        </p>
        <Button
          variant="secondary"
          className="mt-3"
          busy={busy}
          onClick={() => void run("Failed to sign out everywhere", leaveEverywhere)}
        >
          Sign Out Everywhere
        </Button>
      </li>
    </ul>
  );
}
