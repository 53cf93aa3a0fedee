import { Badge } from "#app/components/badge.tsx";
import { type ConsultationStatus, consultationStatusVariants, customerStatusNames } from "./consultation.ts";

type ConsultationStatusBadgeProps = { status: ConsultationStatus; names?: typeof customerStatusNames };

export function ConsultationStatusBadge({
  status,
  names = customerStatusNames,
}: ConsultationStatusBadgeProps) {
  return <Badge variant={consultationStatusVariants[status]}>{names[status]}</Badge>;
}
