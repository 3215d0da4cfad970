// Semantic Versioning 2.0.0, for npm, crates.io, Hex, Pub and Swift: a prerelease sorts before its release, numeric
// labels sort before words, and build metadata is ignored. The reference is the npm package `semver`, which npm itself
// uses.
import { compare, parse, type SemVer } from 'semver'
import { defineScheme } from './scheme.ts'

const NUMBERS = /^\d{1,15}(?:\.\d{1,15})?$/

export const semver = defineScheme<SemVer>(
  (version) => parse(completeNumbers(version)) ?? undefined,
  compare,
  () => true,
)

/** Advisories also write `1` and `1.2` as ends of ranges. */
function completeNumbers(version: string): string {
  if (!NUMBERS.test(version)) return version
  return version.includes('.') ? `${version}.0` : `${version}.0.0`
}
