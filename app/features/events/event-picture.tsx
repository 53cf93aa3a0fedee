import { useCallback, useState } from "react";
import { Picture } from "#app/components/picture.tsx";
import type { EventView } from "./event-view.ts";

type EventPictureProps = {
  event: Pick<EventView, "picture" | "ownPicture">;
  /** The width it is shown at, as in <img sizes>. */
  sizes: string;
  /** For a picture above the fold: loaded eagerly. */
  priority?: boolean;
  className: string;
};

/** An event's own picture, or its kind's drawing if there is none or it can't be shown; 3:2 either way. */
export function EventPicture({
  event: { picture, ownPicture },
  sizes,
  priority = false,
  className,
}: EventPictureProps) {
  const [broken, setBroken] = useState(false);

  // An image that failed before hydration fires no error event afterwards.
  const checkLoaded = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth === 0) setBroken(true);
  }, []);

  if (!ownPicture || broken)
    return <Picture picture={picture} sizes={sizes} priority={priority} decorative className={className} />;
  return (
    <img
      ref={checkLoaded}
      {...ownPicture}
      sizes={sizes}
      width={1200}
      height={800}
      alt=""
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : undefined}
      decoding="async"
      className={`aspect-3/2 object-cover ${className}`}
      onError={() => setBroken(true)}
    />
  );
}
