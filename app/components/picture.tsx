/** A drawn picture in several widths; `src` is the WebP for browsers that cannot show AVIF. */
export interface PictureSource {
  src: string;
  /** AVIF addresses with their widths, for <source srcset>. */
  srcSet: string;
  width: number;
  height: number;
  alt: string;
}

export interface PictureProps {
  picture: PictureSource;
  /** The width it is shown at, as in <img sizes>. */
  sizes: string;
  /** For a picture that is seen first: loaded at once instead of lazily. */
  priority?: boolean;
  /** Whether the words beside it already say what it shows. */
  decorative?: boolean;
  className?: string;
}

/** A drawn picture that keeps its place while it loads. */
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
