import { InputField, TextareaField } from "#app/components/field.tsx";
import { limits } from "./booklist-draft.ts";
import type { BooklistEditorState } from "./use-booklist-editor.ts";

/** School, class, year, introduction, and whether the search finds the list. */
export function BooklistFields({
  editor: { draft, stored, problems, change },
}: {
  editor: BooklistEditorState;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr_1fr]">
      <InputField
        label="School"
        required
        autoFocus={stored === null}
        maxLength={limits.school}
        className="sm:max-xl:col-span-2"
        value={draft.school}
        error={problems.school}
        autoComplete="off"
        onChange={({ target }) => change({ school: target.value })}
      />
      <InputField
        label="Class"
        required
        maxLength={limits.class_name}
        value={draft.class_name}
        error={problems.class_name}
        autoComplete="off"
        onChange={({ target }) => change({ class_name: target.value })}
      />
      <InputField
        label="School year"
        required
        value={draft.school_year}
        error={problems.school_year}
        autoComplete="off"
        inputMode="numeric"
        placeholder="2026/2027"
        onChange={({ target }) => change({ school_year: target.value })}
      />
      <InputField
        label="Expected pupils (optional)"
        value={draft.pupils}
        error={problems.pupils}
        autoComplete="off"
        inputMode="numeric"
        hint="For purchases; only staff see it"
        onChange={({ target }) => change({ pupils: target.value })}
      />
      <TextareaField
        label="Introduction (optional)"
        rows={2}
        maxLength={limits.introduction}
        className="sm:col-span-full"
        value={draft.introduction}
        onChange={({ target }) => change({ introduction: target.value })}
      />
      <label className="flex min-h-11 items-center gap-3 sm:col-span-full">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-green"
          checked={draft.is_listed}
          onChange={({ target }) => change({ is_listed: target.checked })}
        />
        <span>
          Anyone can find it by the school's name
          <span className="block text-13 text-muted">Otherwise only people with its link or code.</span>
        </span>
      </label>
    </div>
  );
}
