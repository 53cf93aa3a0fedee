import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { type SettingGroup, settingGroups, settingsOf } from "#shared/owner/settings.ts";
import { ContradictedTexts } from "./contradicted-texts.tsx";
import { LegalChecklist } from "./legal-checklist.tsx";
import { Machine } from "./machine.tsx";
import { OldOrders } from "./old-orders.tsx";
import { findSettings } from "./setting.admin-queries.ts";
import { SettingsForm } from "./settings-form.tsx";
import { TestEmail } from "./test-email.tsx";

/** What can't be a setting, because it is secret or belongs to the machine. */
const MACHINE = "machine";

const sections: [key: string, label: string][] = [
  ...Object.entries(settingGroups),
  [MACHINE, "Machine and backups"],
];

const isGroup = (key: string): key is SettingGroup => Object.hasOwn(settingGroups, key);

export function SettingsPage() {
  const chosen = useSearchParams()[0].get("group") ?? "";
  const key = isGroup(chosen) || chosen === MACHINE ? chosen : "shop";
  const current = useRef<HTMLAnchorElement>(null);
  // On a phone the sections are wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another link
  useEffect(() => {
    // Braces, because newer browsers return a promise, which React would call as the effect's cleanup.
    current.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [key]);
  return (
    <AdminPage
      title="Settings"
      lead="What the shop says of itself. Pages show a change within a second or two."
    >
      <div className="grid items-start gap-x-8 gap-y-4 @3xl:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="Settings" className="@max-3xl:-mx-4 @max-3xl:overflow-x-auto @max-3xl:px-4">
          <ul className="flex gap-1 @3xl:flex-col">
            {sections.map(([each, label]) => (
              <li key={each}>
                <Link
                  to={`?group=${each}`}
                  ref={each === key ? current : undefined}
                  aria-current={each === key ? "page" : undefined}
                  className="flex min-h-11 items-center rounded-control px-3 whitespace-nowrap hover:bg-tint aria-[current]:bg-green aria-[current]:font-semibold aria-[current]:text-white"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {isGroup(key) ? <Section key={key} group={key} /> : <Machine />}
      </div>
    </AdminPage>
  );
}

function Section({ group }: { group: SettingGroup }) {
  const query = useAdminQuery(["settings"], findSettings, { fresh: true });
  const failure = readFailure("settings", query);
  if (failure) return <RetryNote {...failure} />;
  if (!query.data) return <Skeleton className="h-dvh" />;
  return (
    <div className="max-w-3xl">
      {group === "law" && <LegalChecklist shop={query.data.shop} />}
      <ContradictedTexts group={group} shop={query.data.shop} />
      <SettingsForm group={group} names={settingsOf(group)} saved={query.data} />
      {group === "law" && <OldOrders savedYears={query.data.shop.forgetOrdersAfterYears} />}
      {group === "notices" && <TestEmail />}
    </div>
  );
}
