import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { publishers } from "./publisher.ts";
import { Wordmark } from "./wordmark.tsx";

describe("a publisher's wordmark", () => {
  it.each(publishers.map(({ name }) => name))("says %s and nothing else", (name) => {
    const words = renderToStaticMarkup(<Wordmark name={name} />)
      .replace(/<[^>]+>/g, "")
      .replace("&amp;", "&")
      .trim();
    expect(words).toBe(name);
  });

  it("has a sign of its own for each of the six", () => {
    const signs = publishers.map(
      ({ name }) => renderToStaticMarkup(<Wordmark name={name} />).match(/ d="[^"]+"/)?.[0],
    );
    expect(new Set(signs).size).toBe(6);
  });
});
