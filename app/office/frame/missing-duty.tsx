import { AdminPage } from "./admin-page.tsx";
import { dutyNames } from "./duty-texts.ts";
import { dutiesFor } from "./office-pages.ts";

/** Shown instead of a page that the user may not open; a duty can be taken away while the page is open. */
export function MissingDuty({ path }: { path: string }) {
  const duties = dutiesFor(path);
  return (
    <AdminPage title={duties.length === 0 ? "For admins only" : "You don't have the duty for this page"}>
      <p role="alert" className="max-w-prose">
        {duties === "any" || duties.length === 0
          ? "Only admins can open this page."
          : `It needs the duty ${dutyNames(duties)}. Ask an admin for it.`}
      </p>
    </AdminPage>
  );
}
