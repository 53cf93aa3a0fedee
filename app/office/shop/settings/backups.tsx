import type { ReactNode } from "react";
import type { MachineState } from "./setting.admin-queries.ts";

/** Where the shop's backups are, and how the owner makes one and restores it. */
export function Backups({ hasBackup }: Pick<MachineState, "hasBackup">) {
  return (
    <section aria-labelledby="backups" className="max-w-3xl">
      <h2 id="backups" className="text-20">
        Backups
      </h2>
      {hasBackup === null ? (
        <p className="measure mt-1 text-muted">
          The shop's project makes them: see its dashboard, under Backups. It leaves out the covers and the
          files of digital titles.
        </p>
      ) : (
        <>
          <p className="measure mt-1 text-muted">
            {hasBackup ? "" : "There is no backup yet. "}
            Every night at three o'clock the shop makes one, in the folder backups of its data folder, and
            keeps the last 14.
          </p>
          <ol className="measure mt-4 list-decimal space-y-2 pl-5">
            <li>
              To make one now, type this on the machine that runs the shop, in the shop's folder:
              <Command>npm run backup</Command>
            </li>
            <li>
              Copy the file that it names to another machine, where no one else can read it: it contains
              people's names and addresses.
            </li>
            <li>
              Once a month, restore the copy there into an empty folder. Only a backup that was restored is
              known to work:
              <Command>DATA_DIR=./restored npm run restore -- FILE</Command>
            </li>
          </ol>
        </>
      )}
    </section>
  );
}

const Command = ({ children }: { children: ReactNode }) => (
  <code className="mt-1 block w-fit max-w-full rounded-control bg-tint px-2 py-1 font-semibold break-words">
    {children}
  </code>
);
