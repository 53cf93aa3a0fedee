import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { Icon } from "#app/components/icon.tsx";
import { useModal } from "#app/components/use-modal.ts";
import { useSession } from "#app/features/session/session.ts";
import { historyEntry, rememberPlace } from "#app/features/session/sign-in-return.ts";
import { OwnReviewForm } from "./own-review-form.tsx";
import { ReportReview } from "./report-review.tsx";

type ReviewDialogProps = {
  book: { id: string; title: string };
  /** The review that the reader wants to report; null to write their own. */
  reported: string | null;
  onClose: () => void;
};

/** Where customers write, change and delete their review of a book, and report someone else's. */
export function ReviewDialog({ book, reported, onClose }: ReviewDialogProps) {
  const session = useSession();
  if (session.status === "unknown") return null;
  const title = reported ? "Report this review" : "Your review";
  return (
    <Frame title={title} about={book.title} onClose={onClose}>
      {session.status === "signed-out" ? (
        <SignInFirst purpose={reported ? "report a review" : "review a book that you have ordered"} />
      ) : reported ? (
        <ReportReview reviewId={reported} onClose={onClose} />
      ) : (
        <OwnReviewForm key={session.user.id} userId={session.user.id} bookId={book.id} onClose={onClose} />
      )}
    </Frame>
  );
}

type FrameProps = { title: string; about: string; onClose: () => void; children: ReactNode };

function Frame({ title, about, onClose, children }: FrameProps) {
  const dialog = useModal(true);
  const id = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[min(34rem,calc(100%-2rem))] rounded-card bg-surface p-0 text-ink shadow-float backdrop:bg-ink/45"
    >
      <div className="p-5 sm:p-6">
        <div className="flex items-start justify-between gap-4">
          <h2 id={id} className="text-20">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            onClick={onClose}
            className={`${iconButtonClass} -mt-2.5 -mr-2.5`}
          >
            <Icon name="close" />
          </button>
        </div>
        <p className="text-15 wrap-anywhere text-muted">{about}</p>
        <div className="mt-5">{children}</div>
      </div>
    </dialog>
  );
}

function SignInFirst({ purpose }: { purpose: string }) {
  return (
    <>
      <p>Please sign in to {purpose}.</p>
      <Link
        to="/auth"
        onClick={() => rememberPlace(window.location.pathname, historyEntry())}
        className={buttonClass({ className: "mt-5" })}
      >
        Sign In
      </Link>
    </>
  );
}
