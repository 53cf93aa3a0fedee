import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { publishers } from "./publisher.ts";
import { Wordmark } from "./wordmark.tsx";

describe("a publisher's wordmark", () => {
  it.each(publishers.map(({ name }) => name))("reads %s and nothing else", (name) => {
    const text = renderToStaticMarkup(<Wordmark name={name} />)
      .replace(/<[^>]+>/g, "")
      .replace("&amp;", "&")
      .trim();
    expect(text).toBe(name);
  });

  it("has a different emblem for each of the six", () => {
    const emblems = publishers.map(
      ({ name }) => renderToStaticMarkup(<Wordmark name={name} />).match(/ d="[^"]+"/)?.[0],
    );
    expect(new Set(emblems).size).toBe(6);
  });
});
