import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { InputField, SelectField } from "#app/components/field.tsx";
import { meetingKinds, readMeetingKind } from "#app/features/consultations/consultation.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { chosenTime, isTime, localTime } from "#app/office/frame/typed-time.ts";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { cancelConsultationDate, dateConsultation } from "./consultation.admin-queries.ts";
import type { EditorProps } from "./consultation-editor.tsx";

/** Agrees on a day, a time and where, and emails them with a calendar file; or cancels them. */
export function DateForm({ consultation, onSaved }: EditorProps) {
  const { email, meets_at } = consultation;
  const save = useAdminMutation({
    run: (client, { at, how, place }: { at: string; how: string; place: string }) =>
      dateConsultation(client, consultation, { at, how: readMeetingKind(how), place }),
    success: () => ({ title: email ? "Date set and emailed" : "Date set" }),
    failure: "Failed to set the date",
    onSuccess: (version) => {
      kept.forget();
      onSaved(version);
    },
  });
  const [asksToCancel, setAsksToCancel] = useState(false);
  const cancel = useAdminMutation({
    run: (client) => cancelConsultationDate(client, consultation),
    success: () => ({ title: email ? "Date cancelled and emailed" : "Date cancelled" }),
    failure: "Failed to cancel the date",
    onSuccess: onSaved,
  });
  const { values, dirty, field, formProps, kept } = useKeptForm({
    kept: `consultation date ${consultation.id}`,
    fields: {
      at: meets_at ? localTime(meets_at) : "",
      how: consultation.meets_how as string,
      place: consultation.meeting_place ?? "",
    },
    rules: ({ at, how, place }) => ({
      at: isTime(at) ? null : "Choose a day and a time",
      place: how !== "phone" && place.trim() === "" ? "Say where" : null,
    }),
    send: (typed) => save.mutate(typed),
  });
  const kind = meetingKinds[readMeetingKind(values.how)];
  return (
    <form {...formProps} className="grid max-w-3xl gap-3 border-t border-line pt-6">
      <KeptNote kept={kept} className="w-full" />
      <div className="grid items-start gap-4 @xl:grid-cols-2">
        <InputField
          label="Day and time (Ghana time)"
          type="datetime-local"
          required
          hint={chosenTime(values.at)}
          {...field("at")}
        />
        <SelectField label="How" {...field("how")}>
          {Object.entries(meetingKinds).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <InputField
          className="@xl:col-span-2"
          label={kind.place}
          hint={kind.hint}
          autoComplete="off"
          required={values.how !== "phone"}
          maxLength={300}
          {...field("place")}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          variant="secondary"
          busy={save.isPending}
          disabled={(meets_at !== null && !dirty) || cancel.isPending}
        >
          {meets_at ? "Change Date" : "Set Date"}
        </Button>
        {meets_at && (
          <Button
            variant="quiet"
            busy={cancel.isPending}
            disabled={save.isPending}
            onClick={() => setAsksToCancel(true)}
          >
            Cancel Date
          </Button>
        )}
      </div>
      <p className="text-muted">
        {email
          ? `${email} gets an email with a calendar file.`
          : "There is no email address: please call the customer."}
      </p>
      <ConfirmDialog
        open={asksToCancel}
        question={`Cancel the date on ${meets_at ? formatMinute(meets_at) : ""}?`}
        confirmLabel="Cancel date"
        onConfirm={() => cancel.mutate(undefined)}
        onClose={() => setAsksToCancel(false)}
      >
        <p>
          {email ? "The customer gets an email." : "There is no email address: please call the customer."}
        </p>
      </ConfirmDialog>
    </form>
  );
}
