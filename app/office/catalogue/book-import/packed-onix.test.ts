import { expect, test } from "vitest";
import { createArchive } from "#app/lib/tables/zip.ts";
import { openPackedOnix } from "./packed-onix.ts";

test("opens no archive that unpacks to more than it may", async () => {
  const message = "<ONIXMessage><Product/></ONIXMessage>";
  const archive = createArchive();
  const entry = archive.open("message.xml");
  await entry.write(message);
  await entry.end();
  const file = new Blob(archive.finish());
  expect(await openPackedOnix(file, message.length)).not.toBeNull();
  expect(await openPackedOnix(file, message.length - 1)).toBeNull();
});
