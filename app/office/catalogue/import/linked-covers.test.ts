import { expect, test } from "vitest";
import { BackendFailure } from "#app/lib/backend/failure.ts";
import { UnusableCover } from "#app/office/catalogue/covers/cover-crop.ts";
import { type CopyState, type CoverSteps, copyLinkedCovers, type LinkedCover } from "./linked-covers.ts";

const book = (id: string): LinkedCover => ({
  id,
  title: `Book ${id}`,
  image_url: `https://other.example/${id}`,
});

/** Fake steps over these books, two per page, which record what was saved. */
function prepare(ids: string[], changed: Partial<CoverSteps> = {}) {
  const saved: string[] = [];
  const states: CopyState[] = [];
  const controller = new AbortController();
  const steps: CoverSteps = {
    list: async (afterId) =>
      ids
        .filter((id) => id > (afterId ?? ""))
        .slice(0, 2)
        .map(book),
    fetch: async ({ id }) => new Blob([id]),
    upload: async (cover) => `/covers/${await cover.text()}`,
    save: async ({ id }, address) => void saved.push(`${id} ${address}`),
    wait: async () => {},
    ...changed,
  };
  const copy = () => copyLinkedCovers(steps, (state) => states.push(state), controller.signal);
  return { saved, states, controller, copy };
}

test("every linked cover is copied, page after page, and those that can't be stay links", async () => {
  const { saved, states, copy } = prepare(["1", "2", "3", "4", "5"], {
    fetch: async ({ id }) => {
      if (id === "2")
        throw new BackendFailure({ status: 422, refusal: "The other website responded with 404." });
      if (id === "4") throw new UnusableCover("This picture is too small.");
      return new Blob([id]);
    },
  });
  await copy();
  expect(saved).toEqual(["1 /covers/1", "3 /covers/3", "5 /covers/5"]);
  expect(states.at(-1)).toEqual({
    copied: 3,
    failed: [
      { title: "Book 2", reason: "The other website responded with 404." },
      { title: "Book 4", reason: "This picture is too small." },
    ],
    waiting: null,
  });
});

test("copying waits for the upload limit, and fetches no picture twice", async () => {
  let fetched = 0;
  let uploads = 0;
  const limit = "You have uploaded 120 covers within 10 minutes.";
  const { saved, states, copy } = prepare(["1"], {
    fetch: async () => {
      fetched += 1;
      return new Blob(["1"]);
    },
    upload: async () => {
      uploads += 1;
      if (uploads < 3) throw new BackendFailure({ status: 429, refusal: limit });
      return "/covers/1";
    },
  });
  await copy();
  expect({ fetched, uploads, saved }).toEqual({ fetched: 1, uploads: 3, saved: ["1 /covers/1"] });
  expect(states.map(({ waiting }) => waiting)).toEqual([limit, limit, null]);
});

test("copying that is stopped while it waits starts nothing else", async () => {
  const { saved, copy, controller } = prepare(["1", "2"], {
    upload: () => Promise.reject(new BackendFailure({ status: 429 })),
    wait: async () => controller.abort(),
  });
  await copy();
  expect(saved).toEqual([]);
});

test.each([0, 401, 403, 503])("a failure %s ends the copying, and is reported", async (status) => {
  const { saved, copy } = prepare(["1", "2"], {
    save: () => Promise.reject(new BackendFailure({ status })),
  });
  await expect(copy()).rejects.toMatchObject({ status });
  expect(saved).toEqual([]);
});
