import { expect, it } from "vitest";
import { volumeOf } from "./volume.ts";

it.each([
  ["Mental Arithmetic 4", "4"],
  ["Aki-Ola Mathematics 10 ", "10"],
  ["Busy Ant Maths Pupil Book 3a", "3A"],
  ["Skoldo Primary French Book 2 Pupil Book", "2"],
  ["KS2 Maths Year 3 Targeted Question Book", "3"],
  ["Lower Secondary Global Perspectives Stage 9 Learner's Skills Book", "9"],
])("finds the volume of %s", (title, volume) => expect(volumeOf(title)).toBe(volume));

it.each([
  "KS2 Geography",
  "11+ Maths Practice Papers: Ages 10-11",
  "Level 11+ Verbal Reasoning",
  "International History 1870-1945 Coursebook",
  "Drawing Book A3",
  "Simple Circuit Kit for 6 Groups",
  "Pencils, Pack of 12",
  "English since 1950",
  "7",
])("finds no volume in %s", (title) => expect(volumeOf(title)).toBeUndefined());
