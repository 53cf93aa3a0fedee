import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { describeDevice } from "#shared/text/describe-device.ts";
import { endSessionOf, listSessionsOf } from "./person.admin-queries.ts";

/** For admins: where a person is signed in. Any session but the admin's own is ended from here, such as that of a lost phone. */
export function PersonSessions({ userId }: { userId: string }) {
  const sessions = useAdminQuery(["users", "sessions", userId], (client) => listSessionsOf(client, userId));
  const end = useAdminMutation({
    run: (client, { id }: { id: string; device: string }) => endSessionOf(client, userId, id),
    success: (_, { device }) => ({ title: `Signed out: ${device}` }),
    failure: "Failed to sign them out",
  });
  const failure = readFailure("sessions", sessions);
  return (
    <Panel title="Where they're signed in">
      {failure && <RetryNote {...failure} />}
      {!failure && !sessions.data && <Skeleton className="h-16" />}
      {sessions.data?.length === 0 && <p className="text-muted">Not signed in anywhere</p>}
      <ul aria-label="Where this person is signed in" className="grid">
        {sessions.data?.map((session) => {
          const device = describeDevice(session.user_agent);
          return (
            <li
              key={session.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {device}
                  {session.is_this && <Badge variant="secondary">This device</Badge>}
                </p>
                <p className="figures text-13 text-muted">Signed in {formatMinute(session.created_at)}</p>
                <p className="figures text-13 text-muted">Last used {formatMinute(session.last_used_at)}</p>
              </div>
              {!session.is_this && (
                <Button
                  variant="secondary"
                  size="small"
                  busy={end.isPending && end.variables.id === session.id}
                  aria-label={`Sign Out: ${device}, signed in ${formatMinute(session.created_at)}`}
                  onClick={() => end.mutate({ id: session.id, device })}
                >
                  Sign Out
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
