import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import type { BooklistStatus } from "#app/features/booklists/booklist.ts";

const looks: Record<BooklistStatus, { label: string; variant: BadgeVariant }> = {
  draft: { label: "Draft", variant: "outline" },
  published: { label: "Published", variant: "default" },
  withdrawn: { label: "Withdrawn", variant: "secondary" },
};

export function booklistStatusLabel(status: BooklistStatus): string {
  return looks[status].label;
}

export function BooklistStatusBadge({ status }: { status: BooklistStatus }) {
  return <Badge variant={looks[status].variant}>{looks[status].label}</Badge>;
}
