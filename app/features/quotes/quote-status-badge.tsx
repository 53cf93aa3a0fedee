import { Badge } from "#app/components/badge.tsx";
import { customerStatusNames, type QuoteStatus, quoteStatusVariants } from "./quote.ts";

type QuoteStatusBadgeProps = { status: QuoteStatus; names?: typeof customerStatusNames };

export function QuoteStatusBadge({ status, names = customerStatusNames }: QuoteStatusBadgeProps) {
  return <Badge variant={quoteStatusVariants[status]}>{names[status]}</Badge>;
}
