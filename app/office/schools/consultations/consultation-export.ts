import { meetingWords, staffStatusNames } from "#app/features/consultations/consultation.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import {
  type ExportFilters,
  type ExportSource,
  fromLastPage,
  STEP_SIZE,
} from "#app/office/frame/export/collect-rows.ts";
import { type ExportColumns, tableOf } from "#app/office/frame/export/export-table.ts";
import { type ConsultationRow, countConsultations, readConsultations } from "./consultation.admin-queries.ts";

const consultationColumns: ExportColumns<ConsultationRow> = {
  Requested: (consultation) => new Date(consultation.created_at),
  Status: (consultation) => staffStatusNames[consultation.status],
  Name: (consultation) => consultation.name,
  Institution: (consultation) => consultation.institution,
  Email: (consultation) => consultation.email,
  Phone: (consultation) => consultation.phone,
  Subject: (consultation) => consultation.subject,
  Classes: (consultation) => consultation.classes,
  "Days that suit them": (consultation) => consultation.wished_days,
  "What it is about": (consultation) => consultation.about,
  Answers: (consultation) => consultation.answers,
  Meeting: (consultation) => (consultation.meets_at === null ? null : new Date(consultation.meets_at)),
  Where: (consultation) => (consultation.meets_at === null ? null : meetingWords(consultation)),
  Note: (consultation) => consultation.staff_note,
  "Consultation ID": (consultation) => consultation.id,
};

/** Consultations, the newest first. `filter` is a status. */
function consultationSource(
  client: BackendClient,
  { q, filter }: ExportFilters,
): ExportSource<ConsultationRow, number> {
  const filters = { q, status: filter };
  return {
    count: () => countConsultations(client, filters),
    ...fromLastPage((page) =>
      readConsultations(client, filters, { _descending: false, _page: page, _page_size: STEP_SIZE }),
    ),
  };
}

export const consultationExport = {
  one: "consultation",
  many: "consultations",
  source: consultationSource,
  table: tableOf(consultationColumns),
  isPersonal: true,
};
