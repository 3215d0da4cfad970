import { apk } from './apk.ts'
import { composer } from './composer.ts'
import { deb } from './deb.ts'
import { gem } from './gem.ts'
import { generic } from './generic.ts'
import { go } from './go.ts'
import { maven } from './maven.ts'
import { nuget } from './nuget.ts'
import { pep440 } from './pep440.ts'
import { rpm } from './rpm.ts'
import type { VersionScheme } from './scheme.ts'
import { semver } from './semver.ts'

export const SCHEMES = {
  apk,
  composer,
  deb,
  gem,
  generic,
  go,
  maven,
  nuget,
  pep440,
  rpm,
  semver,
} as const satisfies Readonly<Record<string, VersionScheme>>

export type SchemeName = keyof typeof SCHEMES
