import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { type EventRow, type EventState, removeEvent, setEventState } from "./event.admin-queries.ts";
import { EventDialog } from "./event-dialog.tsx";
import { RegistrationDialog } from "./registration-dialog.tsx";

const done: Readonly<Record<EventState, string>> = {
  published: "Event published",
  draft: "Event unpublished",
  cancelled: "Event cancelled",
};

/** Shows only the actions that the event's state allows. */
export function EventActions({ event }: { event: EventRow }) {
  const navigate = useNavigate();
  const mayDelete = useDuty("deletions");
  const [open, setOpen] = useState<"edit" | "register" | "publish" | "cancel" | "delete" | null>(null);
  const close = () => setOpen(null);
  const change = useAdminMutation({
    run: (client, state: EventState) => setEventState(client, event, state),
    success: (_, state) => ({ title: done[state] }),
    failure: "Failed to change the event",
  });
  const remove = useAdminMutation({
    run: (client) => removeEvent(client, event.id),
    success: () => ({ title: `${event.title} deleted` }),
    failure: "Failed to delete the event",
    onSuccess: () => void navigate("/admin/events"),
  });
  const people = event.registered + event.waiting;
  const isOpen = event.state === "published" && !event.is_over;
  return (
    <div className="flex flex-wrap gap-3">
      {event.state === "draft" && !event.is_over && (
        <Button busy={change.isPending} onClick={() => setOpen("publish")}>
          Publish
        </Button>
      )}
      {isOpen && <Button onClick={() => setOpen("register")}>Register Someone</Button>}
      {event.state !== "cancelled" && (
        <Button variant="secondary" onClick={() => setOpen("edit")}>
          Edit
        </Button>
      )}
      {isOpen && people === 0 && (
        <Button variant="secondary" busy={change.isPending} onClick={() => change.mutate("draft")}>
          Unpublish
        </Button>
      )}
      {isOpen && (
        <Button variant="quiet-danger" busy={change.isPending} onClick={() => setOpen("cancel")}>
          Cancel Event
        </Button>
      )}
      {!isOpen && mayDelete && (
        <Button variant="quiet-danger" busy={remove.isPending} onClick={() => setOpen("delete")}>
          Delete
        </Button>
      )}
      {open === "edit" && <EventDialog loaded={event} onClose={close} />}
      {open === "register" && <RegistrationDialog event={event} onClose={close} />}
      <ConfirmDialog
        open={open === "publish"}
        question="Publish this event?"
        confirmLabel="Publish"
        variant="primary"
        onConfirm={() => change.mutate("published")}
        onClose={close}
      >
        <p>
          It appears on the website, and everyone on the list for new events gets one email, even if you
          unpublish it and publish it again.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "cancel"}
        question="Cancel this event?"
        confirmLabel="Cancel Event"
        onConfirm={() => change.mutate("cancelled")}
        onClose={close}
      >
        <p>
          This can't be undone. Everyone who registered with an email address gets an email:{" "}
          {countOf(people, "person", "people")} in all, so please call those who gave a phone number only.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "delete"}
        question={`Delete ${event.title}?`}
        confirmLabel="Delete"
        onConfirm={() => remove.mutate(undefined)}
        onClose={close}
      >
        <p>This also deletes its page and all its registrations, for good.</p>
      </ConfirmDialog>
    </div>
  );
}
