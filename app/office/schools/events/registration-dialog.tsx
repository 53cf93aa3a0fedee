import { InputField } from "#app/components/field.tsx";
import type { TypedRegistration } from "#app/features/events/events.queries.ts";
import {
  EMPTY_REGISTRATION,
  findRegistrationErrors,
  registrationFields,
} from "#app/features/events/registration-fields.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { RowDialog } from "#app/office/frame/row-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { addRegistration, type EventRow } from "./event.admin-queries.ts";

/** Registers someone who called. */
export function RegistrationDialog({ event, onClose }: { event: EventRow; onClose: () => void }) {
  const add = useAdminMutation({
    run: (client, { id, ...typed }: TypedRegistration & { id: string }) =>
      addRegistration(client, { id, eventId: event.id, typed }),
    success: (answer, { name }) => ({
      title:
        answer.state === "registered"
          ? `${name.trim()} has a place`
          : `${name.trim()} is number ${answer.waiting_before + 1} on the waiting list`,
    }),
    failure: "Failed to register",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { dirty, field, formProps, kept } = useKeptForm<TypedRegistration>({
    kept: `registration ${event.id}`,
    fields: EMPTY_REGISTRATION,
    rules: findRegistrationErrors,
    send: (typed, { attempt }) => add.mutate({ ...typed, id: attempt }),
  });
  return (
    <RowDialog
      noun="registration"
      isNew
      dirty={dirty}
      kept={kept}
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
