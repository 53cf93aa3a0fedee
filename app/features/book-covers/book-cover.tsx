import { useCallback, useEffect, useState } from "react";
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
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const [isMade, setIsMade] = useState(false);

  const markFailed = useCallback((image: HTMLImageElement) => {
    setFailedUrl((earlier) => earlier ?? image.currentSrc);
    setIsMade(false);
  }, []);

  // A second failure leaves the URL as it is, so nothing is requested again.
  useEffect(() => {
    if (failedUrl === null) return;
    const left = new AbortController();
    const { signal } = left;
    import("./await-cover.ts")
      .then(({ awaitCover, isMadeLater }) =>
        isMadeLater(failedUrl, window.location.origin) ? awaitCover(failedUrl, { signal }) : false,
      )
      .then(setIsMade, () => undefined);
    return () => left.abort();
  }, [failedUrl]);

  // An image that failed before hydration fires no error event afterwards.
  const checkLoaded = useCallback(
    (image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth === 0) markFailed(image);
    },
    [markFailed],
  );

  if (failedUrl !== null && !isMade) return fallback;
  return (
    <img
      ref={checkLoaded}
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
      onError={(event) => markFailed(event.currentTarget)}
    />
  );
}
