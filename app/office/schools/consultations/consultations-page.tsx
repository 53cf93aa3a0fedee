import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { LatestVersion } from "#app/office/frame/lines/latest-version.tsx";
import { findConsultation } from "./consultation.admin-queries.ts";
import { ConsultationEditor } from "./consultation-editor.tsx";
import { ConsultationTable } from "./consultation-table.tsx";

/** The list, or one consultation: a separate route would enlarge every page's list of routes. */
export function ConsultationsPage() {
  const { consultationId } = useParams();
  if (consultationId) return <ConsultationPage key={consultationId} id={consultationId} />;
  return (
    <AdminPage title="Consultations" lead="Who asked for advice, and what we answered.">
      <ConsultationTable />
    </AdminPage>
  );
}

function ConsultationPage({ id }: { id: string }) {
  const found = useAdminQuery(["consultations", "record", id], (client) => findConsultation(client, id));
  return (
    <AdminPage
      title="Consultation"
      actions={
        <Link to="/admin/consultations" className={buttonClass({ variant: "quiet", size: "small" })}>
          All consultations
        </Link>
      }
    >
      <LatestVersion noun="consultation" found={found}>
        {(consultation, onSaved) => <ConsultationEditor consultation={consultation} onSaved={onSaved} />}
      </LatestVersion>
    </AdminPage>
  );
}
