import { data } from "react-router";
import { notFoundHead } from "#app/features/site/head.ts";
import { NotFoundScreen } from "#app/features/site/not-found-screen.tsx";

export const meta = notFoundHead;

export function loader() {
  return data(null, { status: 404 });
}

export default NotFoundScreen;
