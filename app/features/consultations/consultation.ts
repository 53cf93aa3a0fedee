import type { BadgeVariant } from "#app/components/badge.tsx";

/** The states of a consultation, which follow from what has happened to it. */
const CONSULTATION_STATUSES = ["open", "answered", "dated", "closed"] as const;

export type ConsultationStatus = (typeof CONSULTATION_STATUSES)[number];

type StatusNames = Readonly<Record<ConsultationStatus, string>>;

export const staffStatusNames: StatusNames = {
  open: "Open",
  answered: "Answered",
  dated: "Dated",
  closed: "Closed",
};

export const customerStatusNames: StatusNames = {
  open: "We'll answer soon",
  answered: "Answered",
  dated: "Date set",
  closed: "Closed",
};

export const consultationStatusVariants: Readonly<Record<ConsultationStatus, BadgeVariant>> = {
  open: "warning",
  answered: "secondary",
  dated: "default",
  closed: "outline",
};

/** Reads a status from the database; an unknown one counts as open, so that staff look at it. */
export function readConsultationStatus(text: string): ConsultationStatus {
  return CONSULTATION_STATUSES.find((status) => status === text) ?? "open";
}

/** The ways to meet: their names for staff, and what the place means for each. */
export const meetingKinds = {
  place: { name: "At a place", place: "Place", hint: "Name and address" },
  phone: {
    name: "By phone",
    place: "Number to call (optional)",
    hint: "Leave empty to use the number they gave",
  },
  online: { name: "Online", place: "Platform or app", hint: "For example: Zoom, with the link" },
} as const;

export type MeetingKind = keyof typeof meetingKinds;

/** An unknown way counts as a place. */
export function readMeetingKind(text: string | null): MeetingKind {
  return text !== null && Object.hasOwn(meetingKinds, text) ? (text as MeetingKind) : "place";
}

type Meeting = { meets_how: MeetingKind; meeting_place: string | null; phone: string | null };

/** 'At 4 School Lane', 'By phone: 024 000 0000' or 'Online: Zoom' */
export function meetingWords({ meets_how, meeting_place, phone }: Meeting): string {
  if (meets_how === "place") return `At ${meeting_place ?? ""}`;
  const where = meeting_place ?? (meets_how === "phone" ? phone : null);
  return [meetingKinds[meets_how].name, where].filter(Boolean).join(": ");
}

export type Answer = { body: string; created_at: string };
