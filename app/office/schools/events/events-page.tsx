import { useState } from "react";
import { useParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { countSubscribers } from "./event.admin-queries.ts";
import { EventDialog } from "./event-dialog.tsx";
import { EventPage } from "./event-page.tsx";
import { EventTable } from "./event-table.tsx";

/** The list, or one event: a separate route would enlarge every page's list of routes. */
export function EventsPage() {
  const { eventId } = useParams();
  return eventId ? <EventPage key={eventId} id={eventId} /> : <AllEvents />;
}

function AllEvents() {
  const [isNew, setIsNew] = useState(false);
  const subscribers = useAdminQuery(["events", "subscribers"], countSubscribers);
  return (
    <AdminPage
      title="Events"
      lead={
        subscribers.data === undefined
          ? "Trainings, exhibitions and readings."
          : `Trainings, exhibitions and readings. ${countOf(subscribers.data, "person gets", "people get")} an email when you publish one.`
      }
      actions={
        <Button onClick={() => setIsNew(true)}>
          <OfficeIcon name="plus" />
          Add Event
        </Button>
      }
    >
      <EventTable />
      {isNew && <EventDialog loaded={null} onClose={() => setIsNew(false)} />}
    </AdminPage>
  );
}
