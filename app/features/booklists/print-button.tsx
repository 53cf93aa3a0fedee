/** Opens the browser's print dialog. */
export function PrintButton({ label }: { label: string }) {
  return (
    <button
      type="button"
      onClick={() => window.print()}
      className="inline-flex min-h-11 items-center text-green underline underline-offset-4 hover:text-green-deep noscript:hidden print:hidden"
    >
      {label}
    </button>
  );
}
