import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { CustomerPhone } from "#app/office/frame/customer-phone.tsx";
import { OfficeLink, useStaff } from "#app/office/frame/duties.tsx";
import { deliveryFacts } from "#shared/orders/order-fields.ts";
import { formatDay } from "#shared/text/dates.ts";
import { CorrectDialog } from "./correct-dialog.tsx";
import { EmailChange } from "./email-change.tsx";
import type { Person } from "./person.admin-queries.ts";
import { RoleAndDuties } from "./role-badge.tsx";

/** How the person is reached, and what they may do. */
export function PersonContact({ person }: { person: Person }) {
  const { profile, is_open, is_confirmed, new_email, can_change_email, role, duties } = person;
  const { isAdmin } = useStaff();
  const [correcting, setCorrecting] = useState(false);
  const mayCorrect = profile.email !== null && (isAdmin || (role === "user" && duties.length === 0));
  const address = [profile.address, profile.city, profile.postal_code].filter(Boolean).join(", ");
  const delivery = deliveryFacts({
    ...profile,
    delivery_method: profile.delivery_method ?? "deliver",
    delivery_note: null,
    customer_reference: null,
  });
  return (
    <Panel
      title="Contact"
      action={
        mayCorrect && (
          <Button
            variant="secondary"
            size="small"
            aria-label="Correct name and phone number"
            onClick={() => setCorrecting(true)}
          >
            Correct
          </Button>
        )
      }
    >
      <dl className="grid gap-x-6 gap-y-3 @xl:grid-cols-2">
        <Fact name="Name" className="font-semibold wrap-anywhere">
          {profile.full_name ? <bdi>{profile.full_name}</bdi> : "Not provided"}
        </Fact>
        <Fact name="Email" className="">
          <EmailText address={profile.email} />
          {!is_open && <span className="block text-13 text-muted">This account is closed.</span>}
          {is_open && !is_confirmed && <span className="block text-13 text-clay">Not confirmed yet</span>}
          {profile.email !== null && can_change_email && (
            <EmailChange
              userId={profile.id}
              email={profile.email}
              newEmail={new_email}
              mayChange={mayCorrect}
            />
          )}
        </Fact>
        <Fact name="Phone" className="figures">
          {profile.phone ? <CustomerPhone number={profile.phone} /> : "Not provided"}
        </Fact>
        {address && (
          <Fact name="Address" className="wrap-anywhere">
            <bdi>{address}</bdi>
          </Fact>
        )}
        {delivery.map(([name, value]) => (
          <Fact key={name} name={name} className="wrap-anywhere">
            <bdi>{value}</bdi>
          </Fact>
        ))}
        <Fact name="Role" className="">
          <RoleAndDuties role={role} duties={duties} />
        </Fact>
        <Fact name="Joined" className="figures">
          {formatDay(profile.created_at)}
          {isAdmin && (
            <OfficeLink to={`/admin/activity?q=${profile.id}`} className="block text-13 text-green underline">
              Corrections in Activity
            </OfficeLink>
          )}
        </Fact>
      </dl>
      {correcting && <CorrectDialog profile={profile} onClose={() => setCorrecting(false)} />}
    </Panel>
  );
}
