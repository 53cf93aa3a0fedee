import { useRef } from "react";
import { Button } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { answerConsultation } from "./consultation.admin-queries.ts";
import type { EditorProps } from "./consultation-editor.tsx";

const EMPTY = { body: "" };

/** Emails an answer, or, without an address, records what was said on the phone. */
export function AnswerForm({ consultation, onSaved }: EditorProps) {
  const { email, phone } = consultation;
  // The same for every attempt, so that a retry sends nothing twice.
  const id = useRef("");
  const send = useAdminMutation({
    run: (client, body: string) => {
      id.current ||= newUuid();
      return answerConsultation(client, consultation, id.current, body);
    },
    success: () => ({ title: email ? "Answer sent" : "Answer recorded" }),
    failure: "Failed to send the answer",
    onSuccess: (version) => {
      id.current = "";
      setValues(EMPTY);
      onSaved(version);
    },
  });
  const { dirty, field, formProps, setValues } = useForm({
    fields: EMPTY,
    rules: ({ body }) => ({ body: body.trim() === "" ? "Write an answer" : null }),
    send: ({ body }) => send.mutate(body),
  });
  const { question } = useUnsavedChanges(dirty && !send.isPending);
  return (
    <form {...formProps} className="grid max-w-3xl justify-items-start gap-3">
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
