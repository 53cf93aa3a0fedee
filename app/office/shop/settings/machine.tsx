import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { Backups } from "./backups.tsx";
import { findMachineState, type MachineState } from "./setting.admin-queries.ts";

/** What belongs to the machine that runs the shop: its backups, and its variables. */
export function Machine() {
  const query = useAdminQuery(["settings", "machine"], findMachineState);
  const failure = readFailure("variables", query);
  if (failure) return <RetryNote {...failure} />;
  if (!query.data) return <Skeleton className="h-96" />;
  return (
    <div className="grid gap-8">
      <Backups hasBackup={query.data.hasBackup} />
      <Variables variables={query.data.variables} />
    </div>
  );
}

/** Secrets and addresses: the variables that set them, and whether they are set, never their values. */
function Variables({ variables }: Pick<MachineState, "variables">) {
  return (
    <section aria-labelledby="set-elsewhere" className="max-w-3xl">
      <h2 id="set-elsewhere" className="text-20">
        Set elsewhere
      </h2>
      <p className="measure mt-1 mb-4 text-muted">
        Secrets and addresses belong to the machine that runs the shop. They are variables of its environment,
        or of the file .env in the shop's folder, and apply after a restart.
      </p>
      <dl>
        {variables.map(({ name, what, isSet }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-2.5">
            <dt>
              <code className="font-semibold">{name}</code>
              <span className="block text-muted">{what}</span>
            </dt>
            <dd className={isSet ? "font-semibold text-green" : "text-muted"}>{isSet ? "Set" : "Not set"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
