import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { EVENT_KINDS } from "#app/features/events/event-kinds.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { Check, RowDialog } from "#app/office/frame/row-dialog.tsx";
import { chosenTime } from "#app/office/frame/typed-time.ts";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { type EventRow, saveEvent } from "./event.admin-queries.ts";
import { type EventForm, eventForm, eventValues, findErrors, limits } from "./event-form.ts";
import { PictureField } from "./picture-field.tsx";

/** Adds an event as a draft, or changes the loaded one. */
export function EventDialog({ loaded, onClose }: { loaded: EventRow | null; onClose: () => void }) {
  const save = useAdminMutation({
    run: (client, { id, ...form }: EventForm & { id: string }) =>
      saveEvent(client, id, eventValues(form), loaded),
    success: (_, { title }) => ({
      title: loaded ? `${title.trim()} saved` : `${title.trim()} added`,
      description: loaded ? undefined : "It is a draft until you publish it.",
    }),
    failure: "Failed to save the event",
    onSuccess: () => {
      kept.forget();
      onClose();
    },
  });
  const { dirty, values, change, field, formProps, kept } = useKeptForm<EventForm>({
    kept: `event ${loaded?.id ?? "new"}`,
    fields: eventForm(loaded),
    rules: findErrors,
    send: (typed, { attempt }) => save.mutate({ ...typed, id: loaded?.id ?? attempt }),
  });
  const people = loaded ? loaded.registered + loaded.waiting : 0;
  return (
    <RowDialog
      noun="event"
      isNew={loaded === null}
      dirty={dirty}
      kept={kept}
      busy={save.isPending}
      formProps={formProps}
      onClose={onClose}
    >
      {people > 0 && (
        <p className="text-muted sm:col-span-2">
          A new time, place or link is emailed to everyone who has registered.
        </p>
      )}
      <InputField
        label="Title"
        required
        autoComplete="off"
        maxLength={limits.title}
        className="sm:col-span-2"
        {...field("title")}
      />
      <SelectField label="Kind" hint="Determines its drawing" {...field("kind")}>
        {Object.entries(EVENT_KINDS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Check
        label="Online"
        checked={values.is_online}
        className="self-center"
        onChange={(checked) => change("is_online", checked)}
      />
      <InputField
        label="Starts (Ghana time)"
        type="datetime-local"
        required
        hint={chosenTime(values.starts_at)}
        {...field("starts_at")}
      />
      <InputField
        label="Ends (Ghana time)"
        type="datetime-local"
        required
        hint={chosenTime(values.ends_at)}
        {...field("ends_at")}
      />
      <InputField
        label={values.is_online ? "Platform or app" : "Place"}
        hint={values.is_online ? "For example: Zoom" : "Name and address"}
        required
        autoComplete="off"
        maxLength={limits.place}
        className="sm:col-span-2"
        {...field("place")}
      />
      {values.is_online && (
        <InputField
          label="Link to join (optional)"
          type="url"
          hint="Only people with a place get it, by email."
          autoComplete="off"
          maxLength={limits.join_link}
          className="sm:col-span-2"
          {...field("join_link")}
        />
      )}
      <InputField
        label="Number of places"
        required
        inputMode="numeric"
        autoComplete="off"
        {...field("places")}
      />
      <InputField
        label="Price per person, GH₵ (optional)"
        hint="Empty: free"
        inputMode="decimal"
        autoComplete="off"
        {...field("price")}
      />
      <PictureField picture={values.picture} onChange={(picture) => change("picture", picture)} />
      <TextareaField
        label="Description (optional)"
        maxLength={limits.description}
        className="sm:col-span-2"
        {...field("description")}
      />
    </RowDialog>
  );
}
