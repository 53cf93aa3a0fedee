import { useState } from "react";
import { InputField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import type { TypedRegistration } from "#app/features/events/events.queries.ts";
import {
  EMPTY_REGISTRATION,
  findRegistrationErrors,
  registrationFields,
} from "#app/features/events/registration-fields.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { RowDialog } from "#app/office/frame/row-dialog.tsx";
import { newUuid } from "#shared/text/new-uuid.ts";
import { addRegistration, type EventRow } from "./event.admin-queries.ts";

/** Registers someone who called. */
export function RegistrationDialog({ event, onClose }: { event: EventRow; onClose: () => void }) {
  // The same for every attempt, so that a retry after a lost response takes no second place.
  const [id] = useState(newUuid);
  const add = useAdminMutation({
    run: (client, typed: TypedRegistration) => addRegistration(client, { id, eventId: event.id, typed }),
    success: (answer, { name }) => ({
      title:
        answer.state === "registered"
          ? `${name.trim()} has a place`
          : `${name.trim()} is number ${answer.waiting_before + 1} on the waiting list`,
    }),
    failure: "Failed to register",
    onSuccess: onClose,
  });
  const { dirty, field, formProps } = useForm<TypedRegistration>({
    fields: EMPTY_REGISTRATION,
    rules: findRegistrationErrors,
    send: (typed) => add.mutate(typed),
  });
  return (
    <RowDialog
      noun="registration"
      isNew
      dirty={dirty}
      busy={add.isPending}
      formProps={formProps}
      onClose={onClose}
    >
      {registrationFields.map(({ name, label, type, length, required }) => (
        <InputField
          key={name}
          label={label}
          type={type}
          autoComplete="off"
          maxLength={length}
          required={required}
          {...field(name)}
        />
      ))}
      <p className="text-muted sm:col-span-2">
        An email address or a phone number is enough. An email address gets a confirmation.
      </p>
    </RowDialog>
  );
}
