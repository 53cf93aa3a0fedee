import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { describeDevice } from "#shared/text/describe-device.ts";
import { endOwnSession, listOwnSessions, type OwnSession } from "./second-step.queries.ts";

const FAILED = "Failed to end the session";

/** Where the user is signed in; each session but this one can be ended. */
export function OwnSessions({ userId }: { userId: string }) {
  const [ending, setEnding] = useState<string | null>(null);
  const read = useRead(userId, async () => listOwnSessions(await getBackend()), {
    onFailure: (error) => logFailure("Failed to read where you are signed in", error),
  });

  async function end({ id, agent }: OwnSession) {
    if (ending) return;
    setEnding(id);
    try {
      requireConnection();
      await endOwnSession(await getBackend(), id);
      showToast("success", `Signed out: ${describeDevice(agent)}`);
      read.retry();
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
    } finally {
      setEnding(null);
    }
  }

  if (read.status === "loading") return <Skeleton className="h-32" />;
  if (!read.result)
    return <LoadFailed text="We couldn't load where you're signed in." onTryAgain={read.retry} />;
  return (
    <ul aria-label="Where you're signed in" className="grid">
      {read.result.map((session) => {
        const device = describeDevice(session.agent);
        return (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {device}
                {session.isThis && <Badge variant="secondary">This device</Badge>}
              </p>
              <p className="text-15 text-muted">
                Signed in {formatMinute(session.since)}, last used {formatMinute(session.lastUsed)}
              </p>
            </div>
            {!session.isThis && (
              <Button
                variant="secondary"
                size="small"
                busy={ending === session.id}
                aria-label={`End: ${device}, signed in ${formatMinute(session.since)}`}
                onClick={() => void end(session)}
              >
                End
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
