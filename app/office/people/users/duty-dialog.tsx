import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { addedDuties, dutyTexts } from "#app/office/frame/duty-texts.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { changeDuties, type UserRow } from "./user.admin-queries.ts";

const own = DUTIES.filter((duty) => !addedDuties.includes(duty));

/** Gives one person duties and takes them away. */
export function DutyDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  // As they were when the dialog opened: only changes made here are sent, so another admin's are not undone.
  const [before] = useState<ReadonlySet<Duty>>(() => new Set(user.duties));
  const [chosen, setChosen] = useState<ReadonlySet<Duty>>(before);
  const give = DUTIES.filter((duty) => chosen.has(duty) && !before.has(duty));
  const take = DUTIES.filter((duty) => before.has(duty) && !chosen.has(duty));
  const dirty = give.length + take.length > 0;
  const name = user.fullName || user.email || "this user";
  const save = useAdminMutation({
    run: (client) => changeDuties(client, user.id, { give, take }),
    success: () => ({ title: `Duties of ${name} changed`, description: "The changes apply from now on." }),
    failure: "Failed to change the duties",
    onSuccess: onClose,
  });

  const choose = (duty: Duty, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(duty);
    else next.delete(duty);
    setChosen(next);
  };
  const group = { user, chosen, onChoose: choose };
  return (
    <FormDialog
      dirty={dirty}
      title={`Duties of ${name}`}
      description="Each opens its own pages of the back office. Only admins can change roles and duties."
      onClose={onClose}
      footer={
        <Button busy={save.isPending} disabled={!dirty} onClick={() => save.mutate(undefined)}>
          Save
        </Button>
      }
    >
      <DutyGroup legend="May do" duties={own} {...group} />
      <DutyGroup legend="More, in addition to those above" duties={addedDuties} {...group} />
    </FormDialog>
  );
}

type DutyGroupProps = {
  legend: string;
  duties: readonly Duty[];
  user: UserRow;
  chosen: ReadonlySet<Duty>;
  onChoose: (duty: Duty, isChosen: boolean) => void;
};

function DutyGroup({ legend, duties, user, chosen, onChoose }: DutyGroupProps) {
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {duties.map((duty) => {
        const byRole = duty === "reviews" && user.role === "moderator";
        const { name, may } = dutyTexts[duty];
        return (
          <label key={duty} className="flex min-h-11 items-start gap-3 border-t border-line py-2">
            <input
              type="checkbox"
              className="mt-0.5 size-5 shrink-0 accent-green"
              aria-describedby={`duty-${duty}`}
              aria-label={name}
              checked={byRole || chosen.has(duty)}
              disabled={byRole}
              onChange={({ target }) => onChoose(duty, target.checked)}
            />
            <span className="min-w-0">
              <span className="block font-semibold">{name}</span>
              <span id={`duty-${duty}`} className="block text-13 text-muted">
                {may}
                {byRole && " Every moderator has it."}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
