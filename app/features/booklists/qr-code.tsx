type QrCodeProps = {
  /** In units of the grid, including the margin. */
  size: number;
  path: string;
  label: string;
  className: string;
};

/** A QR code, black on white whatever the page's colours. */
export function QrCode({ size, path, label, className }: QrCodeProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
