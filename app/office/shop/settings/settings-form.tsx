import { useEffect, useRef, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import type { FieldErrors } from "#app/components/use-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import type { BackendFailure } from "#app/lib/backend/failure.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import {
  type SettingDefinition,
  type SettingGroup,
  type SettingKind,
  type SettingName,
  type Shop,
  settingGroups,
  settings,
} from "#shared/owner/settings.ts";
import { ClaimsPreview } from "./claims-preview.tsx";
import { EarlierValues } from "./earlier-values.tsx";
import { FeeFields } from "./fee-fields.tsx";
import { findSettings, type SavedSettings, updateSettings } from "./setting.admin-queries.ts";
import { readSettingDraft, type SettingDraft, settingDraft } from "./setting-draft.ts";
import { type FeeCells, type Line, type SettingLines, sameValue, type TaxCells } from "./setting-lines.ts";
import { lineHints, settingText } from "./setting-text.ts";
import { TaxFields } from "./tax-fields.tsx";

type Drafts = Partial<Record<SettingName, SettingDraft>>;

const draftsOf = (names: readonly SettingName[], { shop }: SavedSettings): Drafts =>
  Object.fromEntries(names.map((name) => [name, settingDraft(name, shop[name])]));

type SettingsFormProps = { group: SettingGroup; names: readonly SettingName[]; saved: SavedSettings };

/** One section of the settings, saved as a whole: all that was changed in it, or nothing. */
export function SettingsForm({ group, names, saved }: SettingsFormProps) {
  // What the admin has seen. Lists are refetched in the background: what others save meanwhile is not seen yet.
  const [base, setBase] = useState(saved);
  // Restoring a value makes a new form: the list of the others stays open.
  const [isListOpen, setListOpen] = useState(false);
  const [discards, setDiscards] = useState(0);
  return (
    <Form
      key={`${discards} ${JSON.stringify(base.seen)}`}
      {...{ group, names, base, setBase, isListOpen, setListOpen }}
      isAfterDiscard={discards > 0}
      onDiscard={(latest) => {
        setBase(latest);
        setDiscards((before) => before + 1);
      }}
    />
  );
}

type FormProps = Omit<SettingsFormProps, "saved"> & {
  base: SavedSettings;
  setBase: (saved: SavedSettings) => void;
  isListOpen: boolean;
  setListOpen: (isOpen: boolean) => void;
  /** Whether this form has taken the place of one whose changes were discarded, and its focus. */
  isAfterDiscard: boolean;
  onDiscard: (latest: SavedSettings) => void;
};

function Form(props: FormProps) {
  const { group, names, base, setBase, isListOpen, setListOpen, isAfterDiscard, onDiscard } = props;
  const [start] = useState(() => draftsOf(names, base));
  const [latest, setLatest] = useState(base);
  const [seen, setSeen] = useState(base.seen);
  const [isChangedByOthers, setChangedByOthers] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAfterDiscard) title.current?.focus();
  }, [isAfterDiscard]);
  const save = useAdminMutation({
    run: async (client, values: Partial<Shop>) => {
      await updateSettings(client, values, seen);
      return findSettings(client);
    },
    success: () => ({ title: "Settings saved" }),
    // With the message, and not once all lists are read again: what is typed meanwhile would be lost.
    onSuccess: (stored) => {
      form.kept.forget();
      setBase(stored);
    },
    failure: "Failed to save the settings",
    isShown: (error) => isConflict(error) || fieldOf(error) !== null,
  });
  const form = useKeptForm<Drafts>({
    kept: `settings ${group}`,
    fields: start,
    rules: (drafts) =>
      Object.fromEntries(
        names.map((name) => {
          const read = readSettingDraft(name, drafts[name] ?? "");
          return [name, drafts[name] !== start[name] && "problem" in read ? read.problem : null];
        }),
      ),
    send: async (drafts, { refuse }) => {
      const changed = names.filter((name) => drafts[name] !== start[name]);
      if (changed.length === 0) return;
      const values = changed.map((name) => {
        const read = readSettingDraft(name, drafts[name] ?? "");
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
  const { guard, question } = useUnsavedChanges(form.dirty && !form.busy, {
    links: true,
    kept: form.kept,
  });

  /** Shows what someone else has saved under what is typed, which replaces it if it is saved again. */
  async function showTheirs(fields: SettingName[], refuse: (errors: FieldErrors<Drafts>) => void) {
    const theirs = await getBackend().then(findSettings);
    setLatest(theirs);
    // What else they have saved is not shown here, and is not overwritten unseen.
    const shown = Object.fromEntries(fields.map((name) => [name, theirs.seen[name]]));
    setSeen((before) => ({ ...before, ...shown }));
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

  /** Returns the shop with the drafts applied, for previews; an unreadable draft leaves its setting unchanged. */
  function draftShop(): Shop {
    const read = names.flatMap((name) => {
      const found = readSettingDraft(name, form.values[name] ?? "");
      return "value" in found ? [[name, found.value]] : [];
    });
    return { ...latest.shop, ...Object.fromEntries(read) };
  }

  return (
    <>
      <form {...form.formProps} aria-label={settingGroups[group]} className="flex flex-col gap-5">
        <h2 ref={title} tabIndex={-1} className="text-20 outline-none">
          {settingGroups[group]}
        </h2>
        <KeptNote kept={form.kept} className="" />
        {isChangedByOthers && (
          <Callout tone="warning">
            Someone else has changed these settings since you opened them. Nothing was overwritten, and what
            you typed is still here. Save again to replace their changes, or discard yours to start from
            theirs.
          </Callout>
        )}
        {names.map((name) => (
          <SettingField
            key={name}
            definition={settings[name]}
            {...form.field(name)}
            value={form.values[name] ?? ""}
            // Lines that are again as they were count as unchanged.
            onLines={(lines) =>
              form.change(name, sameValue(lines, start[name]) ? start[name] : (lines as SettingLines))
            }
          />
        ))}
        {group === "claims" && <ClaimsPreview shop={draftShop()} />}
        <div
          data-bottom-bar
          className="sticky bottom-0 flex flex-wrap gap-3 border-t border-line bg-surface py-3"
        >
          <Button type="submit" disabled={form.busy || !form.dirty}>
            {form.busy ? "Saving…" : "Save"}
          </Button>
          {form.dirty && !form.busy && (
            <Button variant="quiet" onClick={() => guard(() => onDiscard(latest))}>
              Discard changes
            </Button>
          )}
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
  fees: 6,
  taxes: 6,
  words: 16,
  terms: 4,
};

const inputTypes: Partial<Record<SettingKind, string>> = { email: "email", phone: "tel", url: "url" };

type SettingFieldProps = Omit<ReturnType<ReturnType<typeof useKeptForm<Drafts>>["field"]>, "value"> & {
  definition: SettingDefinition;
  value: SettingDraft;
  onLines: (lines: readonly object[]) => void;
};

function SettingField({ definition, value, onLines, ...rest }: SettingFieldProps) {
  const { kind, label, hint, max, choices } = definition;
  if (typeof value !== "string") {
    const props = { name: rest.name, error: rest.error, label, hint, onChange: onLines };
    return kind === "fees" ? (
      <FeeFields {...props} lines={value as readonly Line<FeeCells>[]} />
    ) : (
      <TaxFields {...props} lines={value as readonly Line<TaxCells>[]} />
    );
  }
  const field = { ...rest, value };
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
  const asText =
    kind === "fees" || kind === "taxes"
      ? `Some of these lines can't be shown as fields, so edit them as text. ${lineHints[kind]}`
      : null;
  const rows = kind === "text" && max > 2_000 ? 16 : manyLines[kind];
  if (rows) return <TextareaField {...field} label={label} hint={asText ?? hint} rows={rows} />;
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
