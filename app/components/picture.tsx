/** An illustration in several widths; `src` is the WebP for browsers that cannot show AVIF. */
export interface PictureSource {
  src: string;
  /** AVIF URLs with their widths, for <source srcset>. */
  srcSet: string;
  width: number;
  height: number;
  alt: string;
}

export interface PictureProps {
  picture: PictureSource;
  /** The width it is shown at, as in <img sizes>. */
  sizes: string;
  /** For a picture above the fold: loaded eagerly. */
  priority?: boolean;
  /** The text beside it already says what it shows. */
  decorative?: boolean;
  className?: string;
}

/** An illustration that reserves its space while it loads. */
export function Picture({ picture, sizes, priority = false, decorative = false, className }: PictureProps) {
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={picture.srcSet} sizes={sizes} />
      <img
        src={picture.src}
        width={picture.width}
        height={picture.height}
        alt={decorative ? "" : picture.alt}
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : undefined}
        decoding="async"
        className={className}
      />
    </picture>
  );
}
