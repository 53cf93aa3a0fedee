import { describe, expect, it } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { type Appointment, calendarFile } from "./calendar-file.ts";

const appointment: Appointment = {
  uid: "0b5c1f1e-0000-4000-8000-00000000000a@shop.example",
  revision: 2,
  changedAt: new Date("2026-11-20T08:05:06.789Z"),
  startsAt: new Date("2026-12-05T09:00:00Z"),
  endsAt: new Date("2026-12-05T12:30:00Z"),
  title: "Phonics, for teachers; part 1",
  place: "Osu \\ Accra",
  description: "First line\r\nSecond line",
  url: "https://shop.example/events/phonics",
  isCancelled: false,
  producer: "Adwene Books",
};

/** A reader's view: folded lines put together, then name and value. */
function readLines(text: string): [string, string][] {
  return text
    .replaceAll("\r\n ", "")
    .split("\r\n")
    .slice(0, -1)
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]);
}

const unescaped = (value: string) =>
  value.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));

describe("a calendar file", () => {
  it("has the appointment in UTC, with texts escaped", () => {
    expect(calendarFile(appointment)).toBe(
      [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Adwene Books//EN",
        "BEGIN:VEVENT",
        "UID:0b5c1f1e-0000-4000-8000-00000000000a@shop.example",
        "DTSTAMP:20261120T080506Z",
        "DTSTART:20261205T090000Z",
        "DTEND:20261205T123000Z",
        "SEQUENCE:2",
        "STATUS:CONFIRMED",
        "SUMMARY:Phonics\\, for teachers\\; part 1",
        "LOCATION:Osu \\\\ Accra",
        "DESCRIPTION:First line\\nSecond line",
        "URL:https://shop.example/events/phonics",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n"),
    );
  });

  it("that comes by email names its method and whoever sends it, as RFC 5546 requires", () => {
    const lines = readLines(
      calendarFile({
        ...appointment,
        isCancelled: true,
        sent: { method: "CANCEL", from: "info@shop.example" },
      }),
    );
    expect(lines.slice(0, 5).map(([name]) => name)).toEqual([
      "BEGIN",
      "VERSION",
      "PRODID",
      "METHOD",
      "BEGIN",
    ]);
    expect(Object.fromEntries(lines)).toMatchObject({
      METHOD: "CANCEL",
      ORGANIZER: "mailto:info@shop.example",
      STATUS: "CANCELLED",
      UID: appointment.uid,
    });
  });

  it("keeps its UID when everything else changes, and says that it is cancelled", () => {
    const changed = calendarFile({
      ...appointment,
      revision: 3,
      title: "Another title",
      startsAt: new Date("2027-07-05T09:00:00Z"),
      endsAt: new Date("2027-07-05T10:00:00Z"),
      isCancelled: true,
    });
    expect(changed).toContain(`UID:${appointment.uid}\r\n`);
    expect(changed).toContain("STATUS:CANCELLED\r\n");
    expect(changed).toContain("SEQUENCE:3\r\n");
    // Ghana has no summer time.
    expect(changed).toContain("DTSTART:20270705T090000Z\r\n");
  });

  it("leaves out an empty place and description", () => {
    const names = readLines(calendarFile({ ...appointment, place: "", description: "" })).map(
      ([name]) => name,
    );
    expect(names).not.toContain("LOCATION");
    expect(names).not.toContain("DESCRIPTION");
  });

  it("folds lines at 75 octets without splitting a character, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.string({ unit: "binary", maxLength: 300 }).map((text) => text.toWellFormed()),
        (title, description) => {
          const text = calendarFile({ ...appointment, title, description });
          const lines = text.split("\r\n");
          for (const line of lines) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
          for (const line of lines) expect(line).toBe(line.toWellFormed());
          expect(text.replaceAll("\r\n", "")).not.toMatch(/\p{Cc}/u);
          const values = new Map(readLines(text));
          expect(readLines(text).map(([name]) => name)).toContain("END");
          const plain = (given: string) => given.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n]/gu, " ");
          expect(unescaped(values.get("SUMMARY") ?? "")).toBe(plain(title));
          if (description) expect(unescaped(values.get("DESCRIPTION") ?? "")).toBe(plain(description));
        },
      ),
    );
  });
});
