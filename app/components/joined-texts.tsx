import { Fragment } from "react";

/** Short texts on one line with dots between them; none can change the writing direction of the others. */
export function JoinedTexts({ texts, separator = " · " }: { texts: readonly string[]; separator?: string }) {
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same text may occur twice
    <Fragment key={index}>
      {index > 0 && separator}
      <bdi>{text}</bdi>
    </Fragment>
  ));
}
