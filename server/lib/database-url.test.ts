import { expect, test } from "vitest";
import { splitHosts } from "./database-url.ts";

test("An address with one server stays as it is", () => {
  for (const url of [
    "postgres://localhost/shop",
    "postgresql://ama:a,b@db.example:5432/shop?sslmode=require&target_session_attrs=read-write",
  ])
    expect(splitHosts(url)).toEqual([url]);
});

test("An address with several servers gives one address for each, with the same user, database and settings", () => {
  expect(
    splitHosts(
      "postgres://ama:a@b@one:5432,[::1]:5433,three/shop?target_session_attrs=read-write&sslmode=require",
    ),
  ).toEqual([
    "postgres://ama:a@b@one:5432/shop?sslmode=require",
    "postgres://ama:a@b@[::1]:5433/shop?sslmode=require",
    "postgres://ama:a@b@three/shop?sslmode=require",
  ]);
  expect(splitHosts("postgres://one,two/shop?target_session_attrs=primary")).toEqual([
    "postgres://one/shop",
    "postgres://two/shop",
  ]);
});
