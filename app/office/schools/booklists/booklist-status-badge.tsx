import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import type { BooklistStatus } from "#app/features/booklists/booklist.ts";

export const booklistStatusNames: Record<BooklistStatus, string> = {
  draft: "Draft",
  published: "Published",
  withdrawn: "Withdrawn",
};

const variants: Record<BooklistStatus, BadgeVariant> = {
  draft: "outline",
  published: "default",
  withdrawn: "secondary",
};

export function BooklistStatusBadge({ status }: { status: BooklistStatus }) {
  return <Badge variant={variants[status]}>{booklistStatusNames[status]}</Badge>;
}
