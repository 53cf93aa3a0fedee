import { Link } from "react-router";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { formatDay, formatMinute } from "#shared/text/dates.ts";
import { Answers } from "./answers.tsx";
import { listOwnConsultations, type OwnConsultation } from "./consultation.queries.ts";
import { meetingWords } from "./consultation.ts";
import { ConsultationStatusBadge } from "./consultation-status-badge.tsx";

/** The consultations that the user asked for while signed in, with what the shop answered. */
export function OwnConsultations({ userId }: { userId: string }) {
  const read = useRead(userId, async () => listOwnConsultations(await getBackend()), {
    onFailure: (error) => logFailure("Failed to load consultations", error),
  });
  if (read.status === "loading") return <p className="text-muted">Loading…</p>;
  if (!read.result) return <LoadFailed text="We couldn't load your consultations." onTryAgain={read.retry} />;
  if (read.result.length === 0)
    return (
      <p>
        You haven't asked for a consultation.{" "}
        <Link to="/guidance#consultation" className="text-green underline underline-offset-4">
          Ask for one
        </Link>
      </p>
    );
  return (
    <ul aria-label="Consultations" className="grid gap-6">
      {read.result.map((consultation) => (
        <Consultation key={consultation.id} consultation={consultation} />
      ))}
    </ul>
  );
}

function Consultation({ consultation }: { consultation: OwnConsultation }) {
  const { status, about, created_at, meets_at, answers } = consultation;
  return (
    <li className="grid gap-3 border-b border-line pb-6 last:border-b-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">Requested {formatDay(created_at)}</span>
        <ConsultationStatusBadge status={status} />
      </p>
      {meets_at && (
        <p className="figures wrap-anywhere">
          <strong>{formatMinute(meets_at)}, Ghana time.</strong> <bdi>{meetingWords(consultation)}</bdi>
        </p>
      )}
      <p className="wrap-anywhere whitespace-pre-line text-muted">{about}</p>
      {answers.length > 0 && <Answers answers={answers} by={() => currentShop().name} />}
    </li>
  );
}
