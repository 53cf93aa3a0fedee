import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { answerConsultation } from "./consultation.admin-queries.ts";
import type { EditorProps } from "./consultation-editor.tsx";

const EMPTY = { body: "" };

/** Emails an answer, or, without an address, records what was said on the phone. */
export function AnswerForm({ consultation, onSaved }: EditorProps) {
  const { email, phone } = consultation;
  const send = useAdminMutation({
    run: (client, { id, body }: { id: string; body: string }) =>
      answerConsultation(client, consultation, id, body),
    success: () => ({ title: email ? "Answer sent" : "Answer recorded" }),
    failure: "Failed to send the answer",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: (version) => {
      kept.forget();
      setValues(EMPTY);
      onSaved(version);
    },
  });
  const { dirty, field, formProps, setValues, kept } = useKeptForm({
    kept: `consultation answer ${consultation.id}`,
    fields: EMPTY,
    rules: ({ body }) => ({ body: body.trim() === "" ? "Write an answer" : null }),
    send: ({ body }, { attempt }) => send.mutate({ id: attempt, body }),
  });
  const { question } = useUnsavedChanges(dirty && !send.isPending, { kept });
  return (
    <form {...formProps} className="grid max-w-3xl justify-items-start gap-3">
      <KeptNote kept={kept} className="w-full" />
      <TextareaField
        className="w-full"
        label="Answer"
        maxLength={4000}
        required
        hint={
          email
            ? `Goes to ${email}`
            : `There is no email address. Call ${phone ?? "them"}, and note here what you agreed.`
        }
        {...field("body")}
      />
      <Button type="submit" busy={send.isPending}>
        {email ? "Send Answer" : "Record Answer"}
      </Button>
      {question}
    </form>
  );
}
