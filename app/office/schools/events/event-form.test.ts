import { expect, test } from "vitest";
import { chosenTime } from "#app/office/frame/typed-time.ts";
import type { Pesewas } from "#shared/text/money.ts";
import type { EventRow } from "./event.admin-queries.ts";
import { eventForm, eventValues, findErrors } from "./event-form.ts";

const typed = {
  ...eventForm(null),
  title: " Phonics ",
  place: "Osu",
  starts_at: "2026-12-05T09:00",
  ends_at: "2026-12-05T12:30",
  places: "50",
};
const found = (change: object) =>
  Object.entries(findErrors({ ...typed, ...change }))
    .filter(([, error]) => error)
    .map(([name]) => name);

test("an event needs a title, times in order, a place and a number of places", () => {
  expect(found({})).toEqual([]);
  expect(found({ title: " ", place: "", starts_at: "", places: "0" })).toEqual([
    "title",
    "starts_at",
    "place",
    "places",
  ]);
  expect(found({ ends_at: "2026-12-05T09:00" })).toEqual(["ends_at"]);
  expect(found({ starts_at: "tomorrow", places: "10001" })).toEqual(["starts_at", "ends_at", "places"]);
  expect(found({ join_link: "http://meet.example", price: "-3" })).toEqual(["join_link", "price"]);
  expect(found({ join_link: "https://meet.example/1", price: "GH₵12.50", places: "10000" })).toEqual([]);
});

test("typed times are Ghana's, which is UTC, and a loaded event is shown as it was typed", () => {
  const values = eventValues({ ...typed, price: "12.50", join_link: "https://meet.example" });
  expect(values).toMatchObject({
    title: "Phonics",
    starts_at: "2026-12-05T09:00Z",
    ends_at: "2026-12-05T12:30Z",
    places: 50,
    picture: null,
    price: 1_250,
    // Only online events have one.
    join_link: "",
  });
  expect([chosenTime("2026-12-05T09:00"), chosenTime("")]).toEqual(["5 Dec 2026, 09:00", undefined]);
  const row = {
    ...values,
    starts_at: "2026-12-05T09:00:00+00:00",
    ends_at: "2026-12-05T12:30:00+00:00",
    price: 1_250 as Pesewas,
    join_link: null,
    description: null,
  } as EventRow;
  expect(eventForm(row)).toEqual({ ...typed, title: "Phonics", price: "12.50" });
});
