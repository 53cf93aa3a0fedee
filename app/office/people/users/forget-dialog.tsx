import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { type ForgetPreview, forgetPerson, previewForgetting } from "./person.admin-queries.ts";

const inWords = new Intl.ListFormat("en-GB");

/** Shows what would be forgotten of a person, and forgets them, unless something of theirs is not settled. */
export function ForgetDialog({
  userId,
  name,
  onClose,
}: {
  userId: string;
  name: string;
  onClose: () => void;
}) {
  const preview = useAdminQuery(["users", "forget", userId], (client) => previewForgetting(client, userId), {
    fresh: true,
  });
  const failure = readFailure("what would be forgotten", preview);
  const forget = useAdminMutation({
    run: (client) => forgetPerson(client, userId),
    success: () => ({ title: `${name} has been forgotten`, description: "They can't sign in any more." }),
    failure: "Failed to forget the person",
    onSuccess: onClose,
    long: true,
  });
  const found = preview.data;
  return (
    <Dialog
      open
      title={
        <>
          Forget <bdi>{name}</bdi>?
        </>
      }
      description="This can't be undone."
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep
          </Button>
          {found?.problem === null && (
            <Button variant="danger" busy={forget.isPending} onClick={() => forget.mutate(undefined)}>
              Forget
            </Button>
          )}
        </>
      }
    >
      {failure && <RetryNote {...failure} />}
      {!failure && found === undefined && <Skeleton className="h-40" />}
      {found &&
        (found.problem === null ? (
          <WhatGoes found={found} />
        ) : (
          <Callout tone="warning">{found.problem}</Callout>
        ))}
    </Dialog>
  );
}

function WhatGoes({ found }: { found: ForgetPreview }) {
  const { order_count, orders, quotes, reviews, consultations, registrations } = found;
  const deleted = [
    [consultations, "consultation"],
    [registrations, "registration"],
  ] as const;
  const emptied = [
    [order_count, "order"],
    [quotes, "quote"],
    [reviews, "review"],
  ] as const;
  const counted = (parts: readonly (readonly [number, string])[]) =>
    parts.flatMap(([count, noun]) => (count > 0 ? [countOf(count, noun)] : []));
  return (
    <div className="grid gap-3">
      <p>
        Their account will be closed, and their name, email, phone number and addresses, cart, wishlist, stock
        alerts and staff's notes are deleted
        {counted(deleted).length > 0 && `, and ${inWords.format(counted(deleted))}`}.
      </p>
      {counted(emptied).length > 0 && (
        <p>
          Kept for bookkeeping and ratings, without names, contact details or anything they wrote:{" "}
          {inWords.format(counted(emptied))}.
        </p>
      )}
      {orders.length > 0 && (
        <ul className="figures max-h-60 overflow-y-auto">
          {orders.map(({ number, name, status, total }) => (
            <li key={number} className="border-t border-line py-1.5 wrap-anywhere">
              Order {number}: <bdi>{name ?? "without a name"}</bdi>, {status}, {formatCedis(total)}
            </li>
          ))}
        </ul>
      )}
      <p className="text-muted">Older backups still contain their details until those backups are deleted.</p>
    </div>
  );
}
