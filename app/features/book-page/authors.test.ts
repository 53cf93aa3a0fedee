import { expect, test } from "vitest";
import { splitAuthors } from "./authors.ts";

test.each([
  ["Ama Ata Aidoo", ["Ama Ata Aidoo"]],
  ["Kwabena Mensah, Samuel Owusu", ["Kwabena Mensah", "Samuel Owusu"]],
  ["Kwabena Mensah, Samuel Owusu and Esi Addo", ["Kwabena Mensah", "Samuel Owusu", "Esi Addo"]],
  ["Kwabena Mensah, Samuel Owusu, and Esi Addo", ["Kwabena Mensah", "Samuel Owusu", "Esi Addo"]],
  ["Kwabena Mensah & Esi Addo", ["Kwabena Mensah", "Esi Addo"]],
  ["Mensah and Addo", ["Mensah", "Addo"]],
  ["Mensah, Ama", ["Mensah, Ama"]],
  ["Mensah, Ama; Owusu, Kofi", ["Mensah, Ama", "Owusu, Kofi"]],
  ["Kofi Owusu, Jr, Esi Addo", ["Kofi Owusu, Jr", "Esi Addo"]],
  ["Kofi Owusu, Esi Addo, et al.", ["Kofi Owusu", "Esi Addo"]],
  ["Alexandra Sandison; Rand McNally; ", ["Alexandra Sandison", "Rand McNally"]],
  ["Ferdinand Andoh", ["Ferdinand Andoh"]],
  [" , ", []],
])("names each author of '%s'", (line, names) => {
  expect(splitAuthors(line)).toEqual(names);
});
