import { Button } from "#app/components/button.tsx";
import { Answers } from "#app/features/consultations/answers.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { AnswerForm } from "./answer-form.tsx";
import { CloseForm } from "./close-form.tsx";
import { type ConsultationRecord, reopenConsultation } from "./consultation.admin-queries.ts";
import { ConsultationFacts } from "./consultation-facts.tsx";
import { DateForm } from "./date-form.tsx";

export type EditorProps = {
  consultation: ConsultationRecord;
  /** Receives the new version after a change. */
  onSaved: (version: number) => void;
};

/** One consultation, which staff answer, date and close. */
export function ConsultationEditor({ consultation, onSaved }: EditorProps) {
  const { answers, status, meets_at, meets_how, meeting_place } = consultation;
  return (
    <div className="flex flex-col gap-8">
      <ConsultationFacts consultation={consultation} />
      {answers.length > 0 && (
        <section aria-labelledby="answers">
          <h2 id="answers" className="mb-3 text-20">
            Answers
          </h2>
          <Answers answers={answers} by={({ by }) => by ?? "Staff"} />
        </section>
      )}
      {status === "closed" ? (
        <Closed consultation={consultation} onSaved={onSaved} />
      ) : (
        <>
          <AnswerForm consultation={consultation} onSaved={onSaved} />
          <DateForm
            key={[meets_at, meets_how, meeting_place].join(" ")}
            consultation={consultation}
            onSaved={onSaved}
          />
          <CloseForm consultation={consultation} onSaved={onSaved} />
        </>
      )}
    </div>
  );
}

function Closed({ consultation, onSaved }: EditorProps) {
  const reopen = useAdminMutation({
    run: (client) => reopenConsultation(client, consultation),
    success: () => ({ title: "Consultation reopened" }),
    failure: "Failed to reopen the consultation",
    onSuccess: onSaved,
  });
  return (
    <section aria-labelledby="closed" className="flex flex-col items-start gap-3">
      <h2 id="closed" className="text-20">
        Closed {consultation.closed_at && formatMinute(consultation.closed_at)}
      </h2>
      <Button variant="secondary" busy={reopen.isPending} onClick={() => reopen.mutate(undefined)}>
        Reopen
      </Button>
    </section>
  );
}
