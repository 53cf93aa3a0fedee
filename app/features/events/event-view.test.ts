import { expect, test } from "vitest";
import type { Pesewas } from "#shared/text/money.ts";
import { EVENT_KINDS, type EventKind } from "./event-kinds.ts";
import { eventPageView, eventView, previewOf } from "./event-view.ts";

const event = {
  id: "e1",
  slug: "phonics",
  title: "Phonics",
  kind: "training" as EventKind,
  description: "First.\n\nSecond." as string | null,
  is_online: false,
  place: "Osu",
  starts_at: "2026-12-05T09:00:00+00:00",
  ends_at: "2026-12-05T12:30:00+00:00",
  price: 0 as Pesewas,
  places: 1_200,
  places_left: 1_199,
  state: "published",
  revision: 0,
  picture: null as string | null,
  updated_at: "2026-11-20T08:05:06+00:00",
};
const before = Date.parse("2026-12-05T12:29:00Z");

test("an event is described in words, in Ghana's time", () => {
  expect(eventView(event)).toMatchObject({
    kind: "Training",
    when: "Saturday 5 Dec 2026, 09:00 to 12:30",
    place: "Osu",
    price: "Free",
    places: "1,199 of 1,200 places left",
    isFull: false,
  });
  expect(
    eventView({
      ...event,
      is_online: true,
      price: 1_250 as Pesewas,
      places_left: 0,
      ends_at: "2026-12-06T10:00:00+00:00",
    }),
  ).toMatchObject({
    when: "Saturday 5 Dec 2026, 09:00 to Sunday 6 Dec 2026, 10:00",
    place: "Online: Osu",
    price: "GH₵12.50 a person",
    places: "All places are taken. You can join the waiting list.",
    isFull: true,
  });
});

test("each kind has its own picture", () => {
  const pictures = (Object.keys(EVENT_KINDS) as EventKind[]).map(
    (kind) => eventView({ ...event, kind }).picture.src,
  );
  expect(new Set(pictures).size).toBe(5);
});

test("an event's own picture is shown in three widths, and as a JPEG for search engines", () => {
  const picture = "event-picture-1764200000000.jpg";
  expect(eventView({ ...event, picture }).ownPicture).toEqual({
    src: `/covers/${picture}/800.webp`,
    srcSet: `/covers/${picture}/480.webp 480w,/covers/${picture}/800.webp 800w,/covers/${picture}/1200.webp 1200w`,
  });
  expect(previewOf({ ...event, picture })).toBe(`/covers/${picture}/1200.jpg`);
});

test.each([null, "", "book-cover-1764200000000.jpg", "event-picture-1764200000000.jpg/../x"])(
  "without a valid picture of its own (%s), an event has its kind's drawing",
  (picture) => {
    const { ownPicture, picture: drawing } = eventView({ ...event, picture });
    expect(ownPicture).toBeNull();
    expect(previewOf({ ...event, picture })).toBe(drawing.src);
  },
);

test("nobody can register for an event that is over or cancelled", () => {
  expect(eventPageView(event, before)).toMatchObject({ closed: null, paragraphs: ["First.", "Second."] });
  expect(eventPageView(event, Date.parse(event.ends_at)).closed).toBe("over");
  expect(eventPageView({ ...event, state: "cancelled", description: null }, before)).toMatchObject({
    closed: "cancelled",
    paragraphs: [],
  });
});
