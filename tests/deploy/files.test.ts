import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { program } from "./program.ts";

/* The examples of deploy/: each is parsed, and whatever file of ours it names is there. */

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const ours = (words: string[]) => words.filter((word) => /\.(js|ts)$/.test(word));
const missing = (paths: string[]) => paths.filter((path) => !existsSync(join(root, path)));

describe("The systemd unit", () => {
  const unit = read("deploy/shop.service");
  const settings = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value);

  test("starts the launcher, and stops the web process first", () => {
    const [command = ""] = settings("ExecStart");
    const [, launcher = "", ...args] = command.split(" ");
    expect(missing([launcher.replace("/opt/shop/", ""), ...ours(args)])).toEqual([]);
    expect(settings("KillMode")).toEqual(["mixed"]);
    expect(settings("Restart")).toEqual(["always"]);
    expect(settings("StateDirectory")).toEqual(["shop"]);
  });

  const systemd = program("systemd-analyze");
  test.skipIf(!systemd)("is accepted by systemd and gives the shop few rights", () => {
    const { stderr, status } = spawnSync("systemd-analyze", ["verify", join(root, "deploy/shop.service")], {
      encoding: "utf8",
    });
    // The project isn't in /opt/shop here.
    expect(stderr.split("\n").filter((line) => line.includes("shop.service"))).toEqual([]);
    expect(status).toBe(0);
    const judged = execFileSync(
      "systemd-analyze",
      ["security", "--offline=true", join(root, "deploy/shop.service")],
      { encoding: "utf8" },
    );
    expect(Number(/exposure level for shop.service: ([\d.]+)/.exec(judged)?.[1])).toBeLessThanOrEqual(2);
  });
});

describe("The Dockerfile", () => {
  const instructions = DockerfileParser.parse(read("Dockerfile")).getInstructions();
  const argsOf = (keyword: string) =>
    instructions
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((instruction) => instruction.getArguments().map((argument) => argument.getValue()));

  test("copies and runs only files that exist", () => {
    const copied = argsOf("COPY").filter((words) => words.length > 1);
    const fromHere = copied.filter((_, at) => at < 3).flatMap((words) => words.slice(0, -1));
    expect(missing(fromHere)).toEqual([]);
    const run = [...argsOf("CMD"), ...argsOf("RUN")]
      .flat()
      .flatMap((word) => word.match(/[\w/.-]+\.(js|ts)\b/g) ?? []);
    expect(run).toEqual(expect.arrayContaining(["scripts/launch.js", "server/start.js", "scripts/build.ts"]));
    expect(missing(run)).toEqual([]);
  });

  test("pins its image, runs without root in the last stage, and checks its health", () => {
    const images = argsOf("FROM").map(([image]) => image);
    expect(images.length).toBe(2);
    for (const image of images) expect(image).toMatch(/^node:24-/);
    expect(argsOf("USER")).toEqual([["node"]]);
    expect(argsOf("HEALTHCHECK")).toHaveLength(1);
  });

  const engine = spawnSync("docker", ["info"], { timeout: 10_000 }).status === 0;
  sayWhatIsSkipped("building the image", engine ? null : "no Docker engine answers");
  test.skipIf(!engine)("builds an image", { timeout: 900_000 }, () => {
    execFileSync("docker", ["build", "--quiet", "."], { cwd: root });
  });
});

describe("The compose files", () => {
  const alone = parse(read("compose.yaml"));
  const withPostgres = parse(read("deploy/compose.postgres.yaml"));

  test("make the shop reachable only from this machine, with its data in a volume and few rights", () => {
    const { shop } = alone.services;
    expect(missing([join(shop.build, "Dockerfile")])).toEqual([]);
    expect(shop.ports).toEqual(["127.0.0.1:3000:3000"]);
    expect(shop.volumes).toEqual([`data:${shop.environment.DATA_DIR}`]);
    expect(Object.keys(alone.volumes)).toEqual(["data"]);
    expect(shop.cap_drop).toEqual(["ALL"]);
    expect(shop.read_only).toBe(true);
  });

  test("name only settings that the shop reads", () => {
    const set = [alone, withPostgres].flatMap(({ services }) => Object.keys(services.shop.environment));
    const documented = read(".env.example");
    expect(set.filter((name) => !documented.includes(`${name}=`))).toEqual([]);
  });

  test("wait for the owner's PostgreSQL, whose password is not in the file", () => {
    const { shop, postgres } = withPostgres.services;
    expect(shop.depends_on.postgres.condition).toBe("service_healthy");
    expect(shop.environment.DATABASE_URL).toMatch(
      /^postgresql:\/\/shop:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres:5432\/shop$/,
    );
    expect(postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });
});
