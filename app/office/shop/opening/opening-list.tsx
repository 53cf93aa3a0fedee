import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AttentionNotice } from "#app/office/frame/attention-notice.tsx";
import { noteOpeningDone } from "#app/office/shop/settings/setting.admin-queries.ts";
import { countOf } from "#shared/text/count-of.ts";
import { findFirstSteps } from "./opening.admin-queries.ts";

/** What to do before the shop opens, calmer once orders come. Renders nothing once every step is done or dismissed. */
export function OpeningList() {
  const { data } = useAdminQuery(["settings", "opening"], findFirstSteps);
  const dismiss = useAdminMutation({
    run: noteOpeningDone,
    success: () => null,
    failure: "Failed to dismiss the step",
  });
  if (!data || data.steps.length === 0) return null;
  const { steps, hasOrders } = data;
  const label = hasOrders ? "Still to do" : "Before you open";
  return (
    <AttentionNotice
      label={label}
      isCalm={hasOrders}
      words={
        hasOrders
          ? `Still to do: ${countOf(steps.length, "thing")}`
          : `${label}: ${countOf(steps.length, "thing")} to do`
      }
    >
      <ul>
        {steps.map(({ key, words, to }) => (
          <li key={key} className="flex items-center justify-between gap-x-2">
            <Link to={to} className="inline-flex min-h-11 grow items-center underline underline-offset-4">
              {words}
            </Link>
            <Button
              variant="quiet"
              className="shrink-0"
              disabled={dismiss.isPending}
              aria-label={`Dismiss: ${words}`}
              onClick={() => dismiss.mutate(key)}
            >
              Dismiss
            </Button>
          </li>
        ))}
      </ul>
    </AttentionNotice>
  );
}
