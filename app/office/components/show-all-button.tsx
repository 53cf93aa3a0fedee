type ShowAllButtonProps = {
  /** Whether everything is already shown. */
  whole: boolean;
  onChange: (whole: boolean) => void;
  /** What the text belongs to, for screen readers. */
  subject?: string;
};

/** Expands a shortened text or list, and collapses it again. */
export function ShowAllButton({ whole, onChange, subject }: ShowAllButtonProps) {
  const text = whole ? "Show less" : "Show all";
  return (
    <button
      type="button"
      className="min-h-11 font-semibold text-green underline @4xl:min-h-6"
      aria-expanded={whole}
      aria-label={subject && `${text} of ${subject}`}
      onClick={() => onChange(!whole)}
    >
      {text}
    </button>
  );
}
