import { Link } from "react-router";
import { EmailText } from "#app/components/email-text.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { staffStatusNames } from "#app/features/consultations/consultation.ts";
import { ConsultationStatusBadge } from "#app/features/consultations/consultation-status-badge.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { dateColumn } from "#app/office/frame/list-columns.tsx";
import { StatusList } from "#app/office/frame/status-list.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import {
  CONSULTATION_SORT_KEYS,
  type ConsultationRow,
  listConsultations,
} from "./consultation.admin-queries.ts";
import { consultationExport } from "./consultation-export.ts";

const newestFirst = { key: "created_at", descending: true } as const;

/** All consultations, newest first. */
export function ConsultationTable() {
  return (
    <StatusList
      name="consultations"
      label="Consultations"
      one="consultation"
      many="consultations"
      columns={columns}
      sortKeys={CONSULTATION_SORT_KEYS}
      defaultSort={newestFirst}
      statuses={staffStatusNames}
      read={listConsultations}
      search="Search name, contact, school, subject, text"
      empty="No consultations found"
      beginning="No consultations yet. Visitors ask for one on the guidance page. Their requests appear here for you to answer."
      exporting={(filters, total) => (
        <ExportButtons of={consultationExport} filters={filters} total={total} />
      )}
    />
  );
}

const columns: readonly DataColumn<ConsultationRow>[] = [
  {
    id: "name",
    header: "Name",
    card: "title",
    cell: ({ id, name, institution }) => (
      <>
        <Link
          to={`/admin/consultations/${id}`}
          className="inline-flex min-h-11 items-center font-semibold wrap-anywhere text-green underline @4xl:min-h-6"
        >
          <bdi>{name}</bdi>
        </Link>
        {institution && <p className="text-13 font-normal wrap-anywhere text-muted">{institution}</p>}
      </>
    ),
  },
  {
    id: "contact",
    header: "Contact",
    cell: ({ email, phone }) => (
      <div className="min-w-0">
        {email && (
          <p>
            <EmailText address={email} />
          </p>
        )}
        {phone && <p className="figures wrap-anywhere">{phone}</p>}
      </div>
    ),
  },
  {
    id: "about",
    header: "About",
    cell: ({ subject, classes, about }) => (
      <div className="max-w-md">
        {(subject || classes) && (
          <p className="font-semibold wrap-anywhere">
            <JoinedTexts texts={[subject, classes].filter((text) => text !== null)} />
          </p>
        )}
        <p className="line-clamp-2 wrap-anywhere text-muted">{about}</p>
      </div>
    ),
  },
  {
    id: "status",
    header: "Status",
    cell: ({ status }) => <ConsultationStatusBadge status={status} names={staffStatusNames} />,
  },
  {
    id: "meets_at",
    header: "Meeting",
    sorts: "time",
    className: "figures whitespace-nowrap",
    cell: ({ meets_at }) => (meets_at ? formatMinute(meets_at) : "–"),
  },
  dateColumn,
];
