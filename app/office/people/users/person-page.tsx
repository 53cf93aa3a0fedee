import { useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { useSessionUser } from "#app/features/session/session.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { useStaff } from "#app/office/frame/duties.tsx";
import { ForgetDialog } from "./forget-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { findPerson, type Person } from "./person.admin-queries.ts";
import { PersonContact } from "./person-contact.tsx";
import { PersonLists } from "./person-lists.tsx";
import { NoteForm, NoteList } from "./person-notes.tsx";
import { PersonOrders } from "./person-orders.tsx";
import { PersonSessions } from "./person-sessions.tsx";

/** What the shop holds about one person, as far as the user's duties go. */
export function PersonPage({ id }: { id: string }) {
  const query = useAdminQuery(["users", "one", id], (client) => findPerson(client, id));
  const failure = readFailure("person", query);
  const person = query.data;
  return (
    <AdminPage
      title={person ? <bdi className="wrap-anywhere">{nameOf(person)}</bdi> : "Person"}
      actions={
        <>
          {person?.is_open && <Merge person={person} />}
          {person?.is_open && <Forget person={person} />}
          <Link to="/admin/users" className={buttonClass({ variant: "quiet", size: "small" })}>
            All users
          </Link>
        </>
      }
    >
      {failure && <RetryNote {...failure} />}
      {!failure && person === undefined && <Skeleton className="h-96" />}
      {person === null && (
        <p role="alert">This person does not exist. Their account may have been deleted.</p>
      )}
      {person && <OnePerson person={person} />}
    </AdminPage>
  );
}

const nameOf = ({ profile }: Person) => profile.full_name || profile.email || "No name";

/** For those who may: of customers' accounts alone, with a confirmed email address, and not of the user's own. */
function Merge({ person }: { person: Person }) {
  const { duties } = useStaff();
  const ownId = useSessionUser()?.id;
  const [choosing, setChoosing] = useState(false);
  const isStaff = person.role !== "user" || person.duties.length > 0;
  if (!duties.includes("deletions") || isStaff || !person.is_confirmed || person.profile.id === ownId)
    return null;
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setChoosing(true)}>
        Merge another account…
      </Button>
      {choosing && <MergeDialog profile={person.profile} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** For those who may: of staff only admins, and nobody forgets an admin or themselves. */
function Forget({ person }: { person: Person }) {
  const { isAdmin, duties } = useStaff();
  const ownId = useSessionUser()?.id;
  const [asking, setAsking] = useState(false);
  const isStaff = person.role !== "user" || person.duties.length > 0;
  const may =
    duties.includes("deletions") &&
    (isAdmin || !isStaff) &&
    person.role !== "admin" &&
    person.profile.id !== ownId;
  if (!may) return null;
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setAsking(true)}>
        Forget this person…
      </Button>
      {asking && (
        <ForgetDialog userId={person.profile.id} name={nameOf(person)} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function OnePerson({ person }: { person: Person }) {
  const { isAdmin } = useStaff();
  return (
    <div className="grid items-start gap-5 @4xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="grid gap-5">
        <PersonContact person={person} />
        <PersonOrders person={person} />
        <PersonLists person={person} />
      </div>
      <div className="grid gap-5">
        <Panel title="Notes">
          <NoteList notes={person.notes} />
          <NoteForm userId={person.profile.id} />
        </Panel>
        {isAdmin && person.is_open && <PersonSessions userId={person.profile.id} />}
      </div>
    </div>
  );
}
