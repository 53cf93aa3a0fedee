import { getBackend } from "#app/features/session/backend.ts";
import { findStaff } from "#app/features/session/staff.queries.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { OwnSessions } from "./own-sessions.tsx";
import { HostedNote, SecondStep } from "./second-step.tsx";

/** The user's sessions and, for staff, the second step. */
export function SignInSecurity({ userId }: { userId: string }) {
  const { result: staff } = useRead(userId, async () => findStaff(await getBackend(), userId));
  return (
    <div className="grid gap-8">
      {staff && <SecondStep userId={userId} missing={staff.missing} />}
      <div>
        <h3 className="mb-2 text-20">Where you're signed in</h3>
        <OwnSessions userId={userId} />
        <HostedNote />
      </div>
    </div>
  );
}
