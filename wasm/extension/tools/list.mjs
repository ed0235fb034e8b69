// The list of the package: the domains of throwaway mail services, from disposable-email-domains.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "../../..");
const { name, version, license } = require("disposable-email-domains/package.json");

export const listFile = "list.tamis";

/** All domains; those of the second file are meant with what is below them, as all are here. */
export const domains = [...require("disposable-email-domains"), ...require("disposable-email-domains/wildcard.json")];

/** Builds a list by the command of this project. */
export function tamisBuild(names, path) {
  execFileSync("go", ["run", "./cmd/tamis", "build", "--quiet", "--input", "domains", "--family", "ribbon", "--fpr", "0.001", "-o", path], {
    cwd: root,
    input: names.join("\n") + "\n",
    stdio: ["pipe", "inherit", "inherit"],
  });
}

/** Builds the list of the package, and returns what the extension says of it. */
export function buildList(path) {
  tamisBuild(domains, path);
  return { file: listFile, name: "Throwaway mail services", source: `from ${name} ${version}, ${license} licence` };
}
