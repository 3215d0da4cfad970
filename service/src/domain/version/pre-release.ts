// Recognizes versions that are published before a release, for testing. Nobody should be told to upgrade to one.
import type { SchemeName } from './schemes.ts'

/** Words that mark a version before the release in every ecosystem: 2.0-rc1, 9.0.0.M1 aside (SHORT_WORDS). */
const WORDS =
  /(?:^|[^a-z])(?:dev|nightly|canary|snapshot|alpha|beta|milestone|preview|prerelease|pre|ea|rc|cr)(?![a-z])/i
/** 1.0a1, 1.0b2, 3.0.0-M1. In other schemes, such a letter may name a patch or a build, as in openssl 1.0.2b. */
const SHORT_WORDS = /\d[._-]?[abcm]\.?\d/i
/** In Semantic Versioning, everything between a hyphen and `+` is a label of a version before the release. */
const LABEL = /^[^+]*?\d-/
const LETTER = /[a-z]/i

const FORMS: Readonly<Record<SchemeName, readonly RegExp[]>> = {
  apk: [WORDS],
  composer: [WORDS, SHORT_WORDS],
  deb: [WORDS],
  gem: [LETTER],
  generic: [WORDS],
  go: [LABEL, WORDS],
  maven: [WORDS, SHORT_WORDS],
  nuget: [LABEL],
  pep440: [WORDS, SHORT_WORDS],
  rpm: [WORDS],
  semver: [LABEL],
}

export function isPreRelease(version: string, scheme: SchemeName): boolean {
  return FORMS[scheme].some((form) => form.test(version))
}
