import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { meetingWords, staffStatusNames } from "#app/features/consultations/consultation.ts";
import { ConsultationStatusBadge } from "#app/features/consultations/consultation-status-badge.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import type { ConsultationRecord } from "./consultation.admin-queries.ts";

/** The customer, the request, and the agreed date. */
export function ConsultationFacts({ consultation }: { consultation: ConsultationRecord }) {
  const { name, email, phone, has_account, meets_at } = consultation;
  const texts = [
    ["School or institution", consultation.institution],
    ["Subject", consultation.subject],
    ["Classes", consultation.classes],
    ["Days that suit them", consultation.wished_days],
  ] as const;
  return (
    <dl className="figures grid gap-x-6 gap-y-3 @xl:grid-cols-2 @4xl:grid-cols-4">
      <Fact className="" name="Status">
        <ConsultationStatusBadge status={consultation.status} names={staffStatusNames} />
      </Fact>
      <Fact className="font-semibold wrap-anywhere" name={has_account ? "Name (has an account)" : "Name"}>
        {name}
      </Fact>
      <Fact className="wrap-anywhere" name="Contact">
        {email && (
          <span className="block">
            <EmailText address={email} />
          </span>
        )}
        {phone && <span className="block">{phone}</span>}
      </Fact>
      <Fact className="" name="Requested">
        {formatMinute(consultation.created_at)}
      </Fact>
      {texts.map(
        ([label, text]) =>
          text && (
            <Fact key={label} className="wrap-anywhere" name={label}>
              {text}
            </Fact>
          ),
      )}
      {meets_at && (
        <Fact className="font-semibold wrap-anywhere" name="Meeting">
          {formatMinute(meets_at)}
          <span className="block font-normal">{meetingWords(consultation)}</span>
        </Fact>
      )}
      <Fact wide className="max-w-3xl wrap-anywhere whitespace-pre-line" name="What it is about">
        {consultation.about}
      </Fact>
      {consultation.staff_note && (
        <Fact wide className="max-w-3xl wrap-anywhere whitespace-pre-line" name="Our note">
          {consultation.staff_note}
        </Fact>
      )}
    </dl>
  );
}
