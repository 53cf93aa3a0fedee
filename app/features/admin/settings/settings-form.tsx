import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { useUnsavedChanges } from "#app/components/office/unsaved-changes.tsx";
import { type FieldErrors, useForm } from "#app/components/use-form.ts";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendFailure } from "#app/lib/backend-failure.ts";
import { isBackendFailure } from "#app/lib/failure-message.ts";
import { staffMessage } from "#app/lib/staff-message.ts";
import {
  type SettingDefinition,
  type SettingGroup,
  type SettingKind,
  type SettingName,
  type Shop,
  settingGroups,
  settings,
} from "#app/owner/settings.ts";
import { EarlierValues } from "./earlier-values.tsx";
import { findSettings, type SavedSettings, updateSettings } from "./setting.admin-queries.ts";
import { readSettingText, settingText } from "./setting-text.ts";

type Texts = Partial<Record<SettingName, string>>;

const textsOf = (names: readonly SettingName[], { shop }: SavedSettings): Texts =>
  Object.fromEntries(names.map((name) => [name, settingText(name, shop[name])]));

type SettingsFormProps = { group: SettingGroup; names: readonly SettingName[]; saved: SavedSettings };

/** One section of the settings, saved as a whole: all that was changed in it, or nothing. */
export function SettingsForm({ group, names, saved }: SettingsFormProps) {
  // What the admin has seen. Lists are refetched in the background: what others save meanwhile is not seen yet.
  const [base, setBase] = useState(saved);
  // Restoring a value makes a new form: the list of the others stays open.
  const [isListOpen, setListOpen] = useState(false);
  return (
    <Form key={JSON.stringify(base.seen)} {...{ group, names, base, setBase, isListOpen, setListOpen }} />
  );
}

type FormProps = Omit<SettingsFormProps, "saved"> & {
  base: SavedSettings;
  setBase: (saved: SavedSettings) => void;
  isListOpen: boolean;
  setListOpen: (isOpen: boolean) => void;
};

function Form({ group, names, base, setBase, isListOpen, setListOpen }: FormProps) {
  const [start] = useState(() => textsOf(names, base));
  const [seen, setSeen] = useState(base.seen);
  const [isChangedByOthers, setChangedByOthers] = useState(false);
  const save = useAdminMutation({
    run: async (client, values: Partial<Shop>) => {
      await updateSettings(client, values, seen);
      return findSettings(client);
    },
    success: () => ({ title: "Settings saved" }),
    // With the message, and not once all lists are read again: what is typed meanwhile would be lost.
    onSuccess: setBase,
    failure: "Failed to save the settings",
    isShown: (error) => isConflict(error) || fieldOf(error) !== null,
  });
  const form = useForm<Texts>({
    fields: start,
    rules: (texts) =>
      Object.fromEntries(
        names.map((name) => {
          const read = readSettingText(name, texts[name] ?? "");
          return [name, texts[name] !== start[name] && "problem" in read ? read.problem : null];
        }),
      ),
    send: async (texts, _, refuse) => {
      const changed = names.filter((name) => texts[name] !== start[name]);
      if (changed.length === 0) return;
      const values = changed.map((name) => {
        const read = readSettingText(name, texts[name] ?? "");
        return [name, "value" in read ? read.value : null];
      });
      try {
        await save.mutateAsync(Object.fromEntries(values));
      } catch (error) {
        const field = fieldOf(error);
        if (field) refuse({ [field]: staffMessage(error) });
        else if (isConflict(error)) await showTheirs(error.facts.fields as SettingName[], refuse);
      }
    },
  });
  const { question } = useUnsavedChanges(form.dirty && !form.busy, { links: true });

  /** Shows what someone else has saved under what is typed, which replaces it if it is saved again. */
  async function showTheirs(fields: SettingName[], refuse: (errors: FieldErrors<Texts>) => void) {
    const theirs = await getBackend().then(findSettings);
    setSeen(theirs.seen);
    setChangedByOthers(true);
    refuse(
      Object.fromEntries(
        fields.map((name) => {
          const text = settingText(name, theirs.shop[name]);
          return [name, `Someone else has saved: ${text || "nothing"}`];
        }),
      ),
    );
  }

  return (
    <>
      <form {...form.formProps} aria-label={settingGroups[group]} className="flex flex-col gap-5">
        <h2 className="text-20">{settingGroups[group]}</h2>
        {isChangedByOthers && (
          <Callout tone="warning">
            Someone else has changed these settings since you opened them. Nothing was overwritten, and what
            you typed is still here. Save again to replace theirs, or reload the page to start from them.
          </Callout>
        )}
        {names.map((name) => (
          <SettingField
            key={name}
            definition={settings[name]}
            {...form.field(name)}
            value={form.values[name] ?? ""}
          />
        ))}
        <div className="sticky bottom-0 border-t border-line bg-surface py-3">
          <Button type="submit" disabled={form.busy || !form.dirty}>
            {form.busy ? "Saving…" : "Save"}
          </Button>
        </div>
        {question}
      </form>
      <EarlierValues
        names={names}
        seen={seen}
        disabled={form.dirty || form.busy}
        isOpen={isListOpen}
        onOpen={setListOpen}
        onRestored={setBase}
      />
    </>
  );
}

/** A refusal because someone else was faster. */
const isConflict = (error: unknown): error is BackendFailure =>
  isBackendFailure(error) && error.code === "settings_changed";

/** The setting that the database refuses. */
function fieldOf(error: unknown): SettingName | null {
  const field = isBackendFailure(error) && error.code === "invalid_field" ? error.facts.field : null;
  return typeof field === "string" && Object.hasOwn(settings, field) ? (field as SettingName) : null;
}

const manyLines: Partial<Record<SettingKind, number>> = {
  text: 3,
  lines: 4,
  phones: 3,
  fees: 4,
  taxes: 3,
  words: 16,
  terms: 4,
};

const inputTypes: Partial<Record<SettingKind, string>> = { email: "email", phone: "tel", url: "url" };

type SettingFieldProps = ReturnType<ReturnType<typeof useForm<Texts>>["field"]> & {
  definition: SettingDefinition;
  value: string;
};

function SettingField({ definition, ...field }: SettingFieldProps) {
  const { kind, label, hint, max, choices } = definition;
  const options = kind === "yes" ? { true: "Yes", false: "No" } : choices;
  if (options)
    return (
      <SelectField {...field} label={label} hint={hint} className="max-w-sm">
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectField>
    );
  const rows = kind === "text" && max > 2_000 ? 16 : manyLines[kind];
  if (rows) return <TextareaField {...field} label={label} hint={hint} rows={rows} />;
  return (
    <InputField
      {...field}
      label={label}
      hint={hint}
      type={inputTypes[kind]}
      inputMode={kind === "number" ? "numeric" : undefined}
    />
  );
}
