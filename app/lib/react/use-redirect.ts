import { useEffect } from "react";
import { useNavigate } from "react-router";

/** Opens the page at `to` in place of this one, as soon as it is not null. */
export function useRedirect(to: string | null): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (to !== null) void navigate(to, { replace: true });
  }, [to, navigate]);
}
