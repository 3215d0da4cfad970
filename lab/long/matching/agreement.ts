// Compares two statements about the affected versions of a package, at the ends of the ranges of both.
import type { AffectedRow } from '../../../service/src/record/affected-row.ts'
import { placeInRows } from './advisory-files.ts'

type Place = 'inside' | 'outside' | 'unknown'

/** What a source says about the affected versions of a package. */
export interface Statement {
  readonly place: (version: string) => Place
  /** Versions at which the answer changes. */
  readonly ends: readonly string[]
}

export interface Compared {
  readonly id: string
  readonly name: string
  readonly places: readonly { readonly version: string; readonly first: Place; readonly second: Place }[]
}

export function toStatement(rows: readonly AffectedRow[]): Statement {
  const affected = rows.filter(({ isAffected }) => isAffected)
  const ends = affected.flatMap(({ low, high, fixed, versions }) => [low, high, fixed, ...(versions ?? [])])
  return { place: (version) => placeInRows(affected, version), ends: ends.filter((each) => each !== null) }
}

/** Builds a statement from lists of requirements. A version that meets one of them has the place `whenMet`. */
export function fromRequirements(
  requirements: readonly (readonly string[])[],
  meets: (clauses: readonly string[], version: string) => boolean | undefined,
  { whenMet, ends }: { readonly whenMet: 'inside' | 'outside'; readonly ends: readonly string[] },
): Statement {
  const otherwise = whenMet === 'inside' ? 'outside' : 'inside'
  const place = (version: string) => {
    const results = requirements.map((clauses) => meets(clauses, version))
    if (results.includes(true)) return whenMet
    return results.includes(undefined) ? 'unknown' : otherwise
  }
  return { place, ends }
}

export function compareStatements(name: { id: string; name: string }, first: Statement, second: Statement): Compared {
  const versions = [...new Set([...first.ends, ...second.ends])]
  return {
    ...name,
    places: versions.map((version) => ({ version, first: first.place(version), second: second.place(version) })),
  }
}

export interface Agreement {
  readonly packages: number
  /** Packages with the same answer for all compared versions. */
  readonly identical: number
  readonly versions: number
  readonly same: number
  /** Versions that only one of the sources calls affected; prereleases are counted apart. */
  readonly firstOnly: number
  readonly secondOnly: number
  readonly prereleases: number
  readonly unknown: number
}

/** A prerelease, also in the spelling of Go's pseudo-versions. */
const PRERELEASE = /[-.\d](?:a|b|rc|dev|alpha|beta|pre|m)\.?-?\d*$|-/i

export function countAgreement(compared: readonly Compared[]): Agreement {
  const places = compared.flatMap((each) => each.places)
  const different = places.filter(({ first, second }) => first !== second)
  const known = different.filter(({ first, second }) => first !== 'unknown' && second !== 'unknown')
  const releases = known.filter(({ version }) => !PRERELEASE.test(version))
  const unknown = places.filter(({ first, second }) => first === 'unknown' || second === 'unknown').length
  return {
    packages: compared.length,
    identical: compared.filter((each) => each.places.every(({ first, second }) => first === second)).length,
    versions: places.length,
    same: places.length - known.length - unknown,
    firstOnly: releases.filter(({ first }) => first === 'inside').length,
    secondOnly: releases.filter(({ second }) => second === 'inside').length,
    prereleases: known.length - releases.length,
    unknown,
  }
}

/** Formats a row of a table: packages, identical, versions, same, only first, only second, prereleases, unknown. */
export function formatAgreement(name: string, agreement: Agreement): string {
  const { packages, identical, versions, same, firstOnly, secondOnly, prereleases, unknown } = agreement
  const share = (part: number, whole: number) => `${part} (${((100 * part) / whole).toFixed(1)} %)`
  const figures = [packages, share(identical, packages), versions, share(same, versions)]
  return `| ${[name, ...figures, firstOnly, secondOnly, prereleases, unknown].join(' | ')} |`
}

const MAX_EXAMPLES = 10

export function listDifferences(compared: readonly Compared[]): readonly string[] {
  const different = compared.filter(({ places }) => places.some(({ first, second }) => first !== second))
  return different.slice(0, MAX_EXAMPLES).map(({ id, name, places }) => {
    const differing = places.filter(({ first, second }) => first !== second).slice(0, 3)
    return `  ${id} ${name}: ${differing.map((each) => `${each.version} ${each.first}/${each.second}`).join(', ')}`
  })
}
