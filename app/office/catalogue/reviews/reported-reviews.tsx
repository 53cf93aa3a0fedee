import { Link } from "react-router";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AttentionNotice } from "#app/office/frame/attention-notice.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { countReportedReviews } from "./review.admin-queries.ts";

/** Reviews that readers have reported, since the shop promises to check them. Renders nothing when there are none. */
export function ReportedReviews() {
  const { data: total = 0 } = useAdminQuery(["reviews", "reported"], countReportedReviews, {
    refreshing: true,
  });
  if (total === 0) return null;
  return (
    <AttentionNotice
      label="Reported reviews"
      words={`${countOf(total, "review was", "reviews were")} reported by readers`}
      link={
        <Link
          to="/admin/reviews?state=reported"
          className="shrink-0 py-2.5 font-semibold text-green underline"
        >
          Look at {total === 1 ? "it" : "them"}
        </Link>
      }
    />
  );
}
