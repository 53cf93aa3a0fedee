/** One appointment for calendar programs, in the format of RFC 5545. */

export type Appointment = {
  /** The same for every version of the appointment, and globally unique. */
  uid: string;
  /** The number of changes of time or place: programs replace entries with a lower number. */
  revision: number;
  /** When this version was written. */
  changedAt: Date;
  startsAt: Date;
  endsAt: Date;
  title: string;
  place: string;
  description: string;
  url: string;
  isCancelled: boolean;
  /** Of a file that comes by email (RFC 5546), with the address of whoever invites. */
  sent?: { method: "PUBLISH" | "CANCEL"; from: string };
  /** The shop's name, for the file's producer id. */
  producer: string;
};

/**
 * Section 3.3.11: backslashes, semicolons, commas and line ends must be escaped in a text. Other control
 * characters are not allowed.
 */
const escapeText = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");

/** '20261205T090000Z' */
const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;

const MAX_OCTETS = 75;

/**
 * Section 3.1: no line has more than 75 octets; the rest follows on lines that start with a space. Lines are
 * never split within a character.
 */
function fold(line: string): string {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MAX_OCTETS) {
      parts.push(part);
      part = " ";
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n");
}

/** The text of a calendar file (.ics) with this appointment. */
export function calendarFile(appointment: Appointment): string {
  const { uid, revision, changedAt, startsAt, endsAt, isCancelled } = appointment;
  const { title, place, description, url, producer, sent } = appointment;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escapeText(producer.replaceAll("/", " "))}//EN`,
    ...(sent ? [`METHOD:${sent.method}`] : []),
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${utc(changedAt)}`,
    `DTSTART:${utc(startsAt)}`,
    `DTEND:${utc(endsAt)}`,
    `SEQUENCE:${revision}`,
    `STATUS:${isCancelled ? "CANCELLED" : "CONFIRMED"}`,
    `SUMMARY:${escapeText(title)}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    ...(sent ? [`ORGANIZER:mailto:${sent.from}`] : []),
    `URL:${url}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `${lines.map(fold).join("\r\n")}\r\n`;
}
