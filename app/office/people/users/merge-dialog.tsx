import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Fact } from "#app/components/fact.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { CallerChoice } from "#app/office/frame/callers/caller-choice.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { lookAtMerge, type MergeLook, mergePeople, type Person } from "./person.admin-queries.ts";

type Account = { id: string; full_name: string | null; email: string | null };

const nameOf = ({ full_name, email }: Account) => full_name || email || "No name";

/** Finds the other account of a person, shows what would move to this one, and merges the two. */
export function MergeDialog({ profile, onClose }: { profile: Person["profile"]; onClose: () => void }) {
  const [other, setOther] = useState<Account | null>(null);
  const otherId = other?.id ?? "";
  const look = useAdminQuery(
    ["users", "merge", otherId, profile.id],
    (client) => lookAtMerge(client, otherId, profile.id),
    { enabled: other !== null, fresh: true },
  );
  const failure = readFailure("what would move", look);
  const merge = useAdminMutation({
    run: (client, fromId: string) => mergePeople(client, fromId, profile.id),
    success: () => ({
      title: "The two accounts have been merged",
      description: "Nobody can sign in to the other account any more.",
    }),
    failure: "Failed to merge the accounts",
    onSuccess: onClose,
    long: true,
  });
  const found = other ? look.data : undefined;
  return (
    <Dialog
      open
      title="Merge another account into this one"
      description="For one customer who has two accounts. This can't be undone."
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep Both
          </Button>
          {other && found?.problem === null && (
            <Button variant="danger" busy={merge.isPending} onClick={() => merge.mutate(other.id)}>
              Merge Accounts
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <dl className="grid gap-3">
          <AccountFact name="This account stays" account={profile} />
          {other && <AccountFact name="This account is closed" account={other} />}
        </dl>
        {other ? (
          <div>
            <Button variant="secondary" size="small" onClick={() => setOther(null)}>
              Choose another account
            </Button>
          </div>
        ) : (
          <CallerChoice caller={null} isRequired label="The account to close" onChoose={setOther} />
        )}
        {other && failure && <RetryNote {...failure} />}
        {other && !failure && found === undefined && <Skeleton className="h-40" />}
        {found &&
          (found.problem === null ? (
            other && <WhatMoves look={found} from={other} />
          ) : (
            <Callout tone="warning">{found.problem}</Callout>
          ))}
      </div>
    </Dialog>
  );
}

function AccountFact({ name, account }: { name: string; account: Account }) {
  return (
    <Fact name={name} className="wrap-anywhere">
      <bdi className="font-semibold">{nameOf(account)}</bdi>
      {account.email && account.full_name && <bdi className="block text-13 text-muted">{account.email}</bdi>}
    </Fact>
  );
}

/** What moves, in lines; those of nothing are left out. */
function linesOf(look: MergeLook): string[] {
  const { total, paid, due, back } = look;
  const amounts = [
    total !== null && `${formatCedis(total)} in all`,
    paid !== null && `${formatCedis(paid)} paid`,
    !!due && `${formatCedis(due)} still due`,
    !!back && `${formatCedis(back)} to be refunded`,
    look.by_phone > 0 && `${look.by_phone} taken by phone`,
  ].filter(Boolean);
  const lines: [count: number, noun: string, more?: string, nouns?: string][] = [
    [look.orders, "order", amounts.length > 0 ? `: ${amounts.join(", ")}` : ""],
    [look.payments, "payment"],
    [look.quotes, "quote"],
    [look.consultations, "consultation"],
    [look.registrations, "registration", " for events or news about them"],
    [look.reviews, "review"],
    [look.wishlist, "book", " on the wishlist"],
    [look.copies, "copy", " in the cart", "copies"],
    [look.stock_alerts, "stock alert"],
    [look.notes, "note", " of staff"],
  ];
  return lines.flatMap(([count, noun, more = "", nouns]) =>
    count > 0 ? [`${countOf(count, noun, nouns)}${more}`] : [],
  );
}

/** What both have, or what does not fit. */
function leftOutOf({ doubles }: MergeLook): string[] {
  return [
    doubles.reviews > 0 &&
      `${countOf(doubles.reviews, "review")} of a book that both reviewed: the newer stays`,
    doubles.registrations > 0 &&
      `${countOf(doubles.registrations, "registration")} that both accounts have: one of each stays`,
    doubles.stock_alerts > 0 &&
      `${countOf(doubles.stock_alerts, "stock alert")} that both accounts have: one of each stays`,
    doubles.wishlist > 0 &&
      `${countOf(doubles.wishlist, "book")} that both wishlists have, or that don't fit (at most 1,000)`,
    doubles.copies > 0 &&
      `${countOf(doubles.copies, "copy", "copies")} that don't fit: a cart holds at most 999 of a title and 1,000 titles`,
  ].filter((line) => line !== false);
}

function WhatMoves({ look, from }: { look: MergeLook; from: Account }) {
  const [lines, leftOut] = [linesOf(look), leftOutOf(look)];
  return (
    <div className="grid gap-3">
      <p>
        Only merge them if both belong to one person. They will see all orders of{" "}
        <bdi>{from.email ?? nameOf(from)}</bdi>, with addresses, invoices and downloads, and get all further
        emails about them.
      </p>
      <section aria-label="What moves">
        <p className="font-semibold">
          {lines.length > 0 ? "Moves to the account that stays" : "There is nothing to move."}
        </p>
        <List lines={lines} />
      </section>
      {leftOut.length > 0 && (
        <section aria-label="What is left out">
          <p className="font-semibold">Not moved</p>
          <List lines={leftOut} />
        </section>
      )}
      <p>
        The other account is closed, and nobody can sign in to it any more. We don't email anyone about it, so
        tell the customer. Orders, quotes and invoices keep their numbers and the names and emails written on
        them.
      </p>
    </div>
  );
}

function List({ lines }: { lines: string[] }) {
  return (
    <ul className="figures">
      {lines.map((line) => (
        <li key={line} className="border-t border-line py-1.5">
          {line}
        </li>
      ))}
    </ul>
  );
}
