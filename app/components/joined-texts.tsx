import { Fragment } from "react";

/** Short texts in one line with dots between them; none turns the writing direction of the others. */
export function JoinedTexts({ texts, separator = " · " }: { texts: readonly string[]; separator?: string }) {
  return texts.map((text, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same text may stand there twice
    <Fragment key={place}>
      {place > 0 && separator}
      <bdi>{text}</bdi>
    </Fragment>
  ));
}
