import { useState } from "react";
import { useParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { CountPage } from "./count-page.tsx";
import { CountTable } from "./count-table.tsx";
import { NewCount } from "./new-count.tsx";

/** The list, or one count: a separate route would enlarge every page's list of routes. */
export function CountsPage() {
  const { countId } = useParams();
  const [isNew, setIsNew] = useState(false);
  if (countId) return <CountPage key={countId} id={countId} />;
  return (
    <AdminPage
      title="Counts"
      lead="Count the copies on the shelves, several people at once, while the shop sells."
      actions={
        <Button onClick={() => setIsNew(true)}>
          <OfficeIcon name="plus" />
          New Count
        </Button>
      }
    >
      <CountTable />
      {isNew && <NewCount onClose={() => setIsNew(false)} />}
    </AdminPage>
  );
}
