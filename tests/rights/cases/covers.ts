import type { Case } from "./case.ts";

const anotherBucket = [
  "insert into storage.buckets (id, name) values ('private', 'private')",
  "insert into storage.objects (bucket_id, name) values ('private', 'cover.jpg')",
];

export const coverCases: Case[] = [
  {
    proves: "storage.objects: staff list book covers",
    title: "an admin's rights are limited to the bucket of covers",
    given: anotherBucket,
    as: "admin",
    sql: "select count(*)::int as n from storage.objects where bucket_id = 'private'",
    answer: "none",
  },
  {
    proves: "storage.objects: staff add book covers",
    title: "an admin adds no file to another bucket",
    given: anotherBucket,
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('private', 'new.jpg')",
    answer: "policy",
  },
  {
    proves: "storage.objects: staff add book covers",
    title: "an admin adds no 121st cover within ten minutes",
    given: [
      "insert into storage.objects (bucket_id, name, owner_id) select 'book-covers', n || '.jpg', :admin from generate_series(1, 120) as n",
    ],
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('book-covers', 'new.jpg')",
    answer: "too_many_covers",
  },
  {
    proves: "storage.objects: staff add book covers",
    title: "covers of others, and the admin's own of eleven minutes ago, do not count",
    given: [
      "insert into storage.objects (bucket_id, name, owner_id) select 'book-covers', n || '.jpg', :moderator from generate_series(1, 120) as n",
      "insert into storage.objects (bucket_id, name, owner_id, created_at) select 'book-covers', n || '.jpg', :admin, now() - interval '11 minutes' from generate_series(121, 240) as n",
    ],
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('book-covers', 'new.jpg')",
    answer: "yes",
  },
  {
    proves: "storage.objects: staff replace book covers",
    title: "an admin moves no cover to another bucket",
    given: anotherBucket,
    as: "admin",
    sql: "update storage.objects set bucket_id = 'private', name = 'moved.jpg'",
    answer: "policy",
  },
  {
    proves: "storage.objects: staff replace book covers",
    title: "with the duty catalogue alone no cover becomes an event's picture",
    given: ["insert into public.staff_duties (user_id, duty) values (:holder, 'catalogue')"],
    as: "holder",
    sql: "update storage.objects set name = 'event-picture-1764200000009.jpg' where name = 'cover.jpg'",
    answer: "policy",
  },
  {
    proves: "storage.objects: staff replace book covers",
    title: "with the duty events alone no event's picture becomes a cover",
    given: ["insert into public.staff_duties (user_id, duty) values (:holder, 'events')"],
    as: "holder",
    sql: "update storage.objects set name = 'new.jpg' where name like 'event-picture-%'",
    answer: "policy",
  },
  {
    proves: "storage.objects: staff delete book covers",
    title: "an admin deletes no file of another bucket",
    given: [...anotherBucket, "delete from storage.objects where bucket_id <> 'private'"],
    as: "admin",
    sql: "delete from storage.objects",
    answer: "none",
  },
];
