// Go modules, such as v1.2.3, v2.0.0+incompatible and the pseudo-version v0.0.0-20190311183353-d8887717615a, and Go
// itself, such as go1.21rc2. Modules follow Semantic Versioning; a pseudo-version is a prerelease, and `v1` and `v1.2`
// are short for v1.0.0 and v1.2.0. The reference is golang.org/x/mod/semver for modules and go/version for Go itself.
import { compare, parse, type SemVer } from 'semver'
import { defineScheme } from './scheme.ts'

const RELEASE_OF_GO = /^(?:go)?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9})|(beta|rc)(\d{1,9}))?$/
const SHORT = /^v?(\d{1,15})(?:\.(\d{1,15}))?$/

export const go = defineScheme<SemVer>(
  (version) => parse(toSemver(version)) ?? undefined,
  compare,
  () => true,
)

function toSemver(version: string): string {
  const [isRelease, major = '0', minor = '0', patch = '0', stage, number = '0'] = RELEASE_OF_GO.exec(version) ?? []
  if (isRelease !== undefined) return `${major}.${minor}.${patch}${stage ? `-${stage}.${number}` : ''}`
  const [isShort, first = '0', second = '0'] = SHORT.exec(version) ?? []
  return isShort === undefined ? version : `${first}.${second}.0`
}
