import { expect, test } from "vitest";
import { meetingWords, readConsultationStatus, readMeetingKind } from "./consultation.ts";
import { EMPTY_CONSULTATION, findRequestErrors } from "./request-fields.ts";

test("a consultation request needs a name, a contact and a topic", () => {
  const errors = findRequestErrors({ ...EMPTY_CONSULTATION, about: " \n" });
  expect(Object.entries(errors).flatMap(([field, error]) => (error ? [field] : []))).toEqual([
    "name",
    "email",
    "about",
  ]);
  const whole = { ...EMPTY_CONSULTATION, name: "Ama", phone: "024 000 0000", about: "Phonics" };
  expect(Object.values(findRequestErrors(whole)).filter(Boolean)).toEqual([]);
  expect(findRequestErrors({ ...whole, phone: "12" }).phone).toBeTruthy();
});

test("the meeting place is shown in words, and unknown values from a later version are ignored", () => {
  const at = { phone: "024 000 0000", meeting_place: null };
  expect(meetingWords({ ...at, meets_how: "phone" })).toBe("By phone: 024 000 0000");
  expect(meetingWords({ ...at, phone: null, meets_how: "phone" })).toBe("By phone");
  expect(meetingWords({ ...at, meets_how: "phone", meeting_place: "030 1" })).toBe("By phone: 030 1");
  expect(meetingWords({ ...at, meets_how: "online", meeting_place: "Zoom" })).toBe("Online: Zoom");
  expect(meetingWords({ ...at, meets_how: "place", meeting_place: "Osu" })).toBe("At Osu");
  expect([readMeetingKind("toString"), readMeetingKind(null), readMeetingKind("online")]).toEqual([
    "place",
    "place",
    "online",
  ]);
  expect([readConsultationStatus("dated"), readConsultationStatus("lost")]).toEqual(["dated", "open"]);
});
