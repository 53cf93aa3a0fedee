type ListProgressProps = { sent: number; total: number; what: "checked" | "saved" };

/** How many lists the database has processed. */
export function ListProgress({ sent, total, what }: ListProgressProps) {
  return (
    <div className="max-w-xl">
      <p className="figures" id="list-progress">
        {sent.toLocaleString("en-GB")} of {total.toLocaleString("en-GB")} lists {what}
      </p>
      <progress aria-labelledby="list-progress" value={sent} max={total} className="w-full accent-green" />
    </div>
  );
}
