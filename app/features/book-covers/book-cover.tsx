import { useEffect, useState } from "react";
import { type CoverBook, type CoverImage, coverFor, imageOf } from "./cover.ts";
import { GeneratedCover } from "./generated-cover.tsx";

interface BookCoverProps {
  book: CoverBook;
  /** The URL of the backend that stores uploaded covers, "" for this origin. */
  backendUrl: string;
  /** The width it is shown at, as in <img sizes>. */
  sizes: string;
  /** For covers that are seen first: loaded eagerly instead of lazily. */
  priority?: boolean;
  /** What a screen reader hears. Leave it out where the title is beside the cover. */
  label?: string;
  className?: string;
}

/** A book's cover in a 3:4 box that reserves its space: uploaded, built in, or drawn from the book's own data. */
export function BookCover({ book, backendUrl, sizes, priority, label, className }: BookCoverProps) {
  const image = imageOf(coverFor(book, backendUrl));
  const fallback = <GeneratedCover book={book} label={label} className="size-full" />;
  return (
    <span className={className ? `cover-box ${className}` : "cover-box"}>
      {image ? (
        <Picture
          key={image.src}
          {...image}
          sizes={sizes}
          priority={priority}
          label={label}
          fallback={fallback}
        />
      ) : (
        fallback
      )}
    </span>
  );
}

interface PictureProps extends CoverImage {
  sizes: string;
  priority?: boolean;
  label?: string;
  fallback: React.ReactNode;
}

/** An image that is replaced by the drawn cover while it cannot be shown: a busy shop makes it later. */
function Picture({ src, srcSet, sizes, priority, label, fallback }: PictureProps) {
  const [failedUrl, setFailedUrl] = useState("");
  useEffect(() => {
    if (!failedUrl) return;
    const left = new AbortController();
    import("./await-cover.ts")
      .then(({ awaitCover }) => awaitCover(failedUrl, left))
      .then((isMade) => isMade && setFailedUrl(""))
      .catch(() => {});
    return () => left.abort();
  }, [failedUrl]);

  if (failedUrl) return fallback;
  return (
    <img
      // An image that failed before hydration fires no error event afterwards.
      ref={(image) => {
        if (image?.complete && !image.naturalWidth) setFailedUrl(image.currentSrc || src);
      }}
      src={src}
      srcSet={srcSet}
      sizes={srcSet && sizes}
      width={300}
      height={400}
      alt={label ?? ""}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      decoding="async"
      className="size-full object-cover"
      onError={({ currentTarget }) => setFailedUrl(currentTarget.currentSrc || src)}
    />
  );
}
