import { lazy, Suspense } from "react";
import { expect, test } from "vitest";
import { renderDocument } from "./render-document.ts";

const pageWith = (load: () => Promise<{ default: () => string }>) => {
  const Late = lazy(load);
  return (
    <html lang="en">
      <body>
        <Suspense fallback="soon">
          <Late />
        </Suspense>
      </body>
    </html>
  );
};

test("a document contains its lazily loaded parts", async () => {
  expect(await renderDocument(pageWith(async () => ({ default: () => "late" })))).toContain("late");
});

test("a part whose code can't be loaded fails the page", async () => {
  await expect(renderDocument(pageWith(() => Promise.reject(new Error("no such file"))))).rejects.toThrow(
    "no such file",
  );
});

test("a part that never loads fails the page after a timeout", async () => {
  await expect(
    renderDocument(
      pageWith(() => new Promise(() => {})),
      10,
    ),
  ).rejects.toThrow("A part of the page was not loaded in time");
});
