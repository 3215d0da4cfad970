// Finds the nearest version of a component without a known hit. The candidates are fixed versions named by sources and
// the ends of ranges; each candidate is judged like the component itself.

import type { Component } from '../../domain/component/component.ts'
import type { SeenIn } from '../../domain/match-words.ts'
import { namesFixedReleases } from '../../domain/source/coverage.ts'
import { isPreRelease } from '../../domain/version/pre-release.ts'
import type { SchemeName } from '../../domain/version/schemes.ts'
import type { StoredRow } from '../../record/affected-row.ts'
import { isDivided } from '../versions/divided-range.ts'
import { isSuperseded } from '../versions/open-range.ts'
import { placeRow } from '../versions/place-version.ts'
import {
  NO_TEXT,
  type PreparedRow,
  type PreparedSubject,
  type ProductRows,
  probeVersion,
  type VersionProbe,
} from '../versions/product-rows.ts'
import { readHotfix } from '../versions/vendor-hotfixes.ts'
import { createReleaseTest, type Hit, type IsKept, type JudgedComponent, judgeSubjects } from './judge.ts'
import { hasUnknownStream } from './reach.ts'
import type { VersionJudge } from './version-judge.ts'

export interface Upgrade {
  /** Null if every candidate has a hit, or if there are too many candidates to judge. */
  readonly version: string | null
  readonly seenIn: SeenIn | null
}

const NONE: Upgrade = { version: null, seenIn: null }

/** Maximum number of candidates that are judged with all rows. */
export const MAX_JUDGED = 30

/** Maximum number of hits with which each candidate is compared before it is judged. */
const MAX_BLOCKING = 100
export const MAX_CANDIDATES = 500

/** Yields from time to time to let the caller pause. Versions that `versions` has judged are not judged again. */
export function* findUpgrade(
  judged: JudgedComponent,
  hits: readonly Hit[],
  isListed: (hit: Hit, at: JudgedComponent['component']) => boolean,
  versions?: VersionJudge,
): Generator<undefined, Upgrade> {
  const { component, product } = judged
  const scheme = hits.find(({ row }) => row.scheme !== 'commit')?.row.scheme
  if (scheme === undefined || scheme === 'commit' || component.version === null) return NONE
  const current = probeVersion(product, component.version)
  const isLater = createLaterTest(product, current, scheme)
  const blocking = hits
    .slice(0, MAX_BLOCKING)
    .map(({ prepared }) => prepared)
    .filter((row) => !row.mayEndEarlier)
  let left = MAX_JUDGED
  for (const candidate of listCandidates(judged, current, scheme).slice(0, MAX_CANDIDATES)) {
    const version = { text: candidate.version, base: candidate.version, update: null }
    const probe = probeVersion(product, version)
    yield
    if (blocking.some((row) => placeRow(row, probe) === 'inside' && !isDivided(row, probe))) continue
    const known = versions?.get(candidate.version)
    if (known === undefined && left === 0) return NONE
    if (known === undefined) left -= 1
    const found = known
      ? known.listed[0]
      : yield* findListedAt({ ...judged, component: { ...component, version } }, isLater, isListed)
    if (found === undefined) return { version: candidate.version, seenIn: candidate.seenIn }
    if (!found.prepared.mayEndEarlier) blocking.push(found.prepared)
  }
  return NONE
}

function* findListedAt(
  judged: JudgedComponent,
  isKept: IsKept,
  isListed: (hit: Hit, at: JudgedComponent['component']) => boolean,
): Generator<undefined, Hit | undefined> {
  for (const hit of judgeSubjects(judged, isKept)) {
    yield
    if (hit !== undefined && hit !== 'unordered' && isListed(hit, judged.component)) return hit
  }
  return undefined
}

const [UNTESTED, LATER, EARLIER] = [0, 1, 2]

/** Drops ranges that end before the component's version: they contain no later version. */
function createLaterTest({ rows }: ProductRows, current: VersionProbe, scheme: SchemeName): IsKept {
  const tested = new Uint8Array(rows.length)
  const test = (each: PreparedRow, subject: PreparedSubject) => {
    if (each.listed !== undefined) return true
    if (each.high === NO_TEXT) return !isSuperseded(each, { subject, rows: subject.rows }, current)
    // A range is also kept if the order is unknown.
    return current.whole.order(scheme, each.high) !== 1
  }
  return (each, subject) => {
    if (tested[each.position] === UNTESTED) tested[each.position] = test(each, subject) ? LATER : EARLIER
    return tested[each.position] === LATER
  }
}

export interface Candidate {
  readonly version: string
  readonly seenIn: SeenIn
  /** Index into the product's version texts. */
  readonly index: number
  readonly major: string | undefined
  readonly isPreRelease: boolean
}

/** Lists lower versions first, but those with the same major version before all others. */
export function listCandidates(
  judged: JudgedComponent,
  current: VersionProbe,
  scheme: SchemeName,
): readonly Candidate[] {
  const major = readMajor(current.version.text)
  const later = listLater(judged, current, scheme)
  return [...later.filter((each) => each.major === major), ...later.filter((each) => each.major !== major)]
}

/** Lists later versions, lowest first. A pre-release is listed only if the component's version is one itself. */
export function listLater(
  { component, product }: JudgedComponent,
  current: VersionProbe,
  scheme: SchemeName,
): readonly Candidate[] {
  const { text } = current.version
  const listsPreReleases = isPreRelease(text, scheme)
  return listFixes(product, component, scheme).filter(
    (each) => current.whole.order(scheme, each.index) === -1 && (listsPreReleases || !each.isPreRelease),
  )
}

/** Cached by the component's scheme, release and stream, which all versions of a product share. */
const fixesOfProducts = new WeakMap<ProductRows, Map<string, readonly Candidate[]>>()

function listFixes(product: ProductRows, component: Component, scheme: SchemeName): readonly Candidate[] {
  const known = fixesOfProducts.get(product) ?? new Map<string, readonly Candidate[]>()
  fixesOfProducts.set(product, known)
  const key = `${scheme}\n${component.kind === 'purl' ? component.target : ''}\n${JSON.stringify(component.stream)}`
  const concerns = createReleaseTest(component)
  // The fix of another stream is no version to upgrade to.
  const isOfStream = (row: StoredRow) => concerns(row) && !hasUnknownStream(component, row)
  const fixes = known.get(key) ?? sortFixes(product, collectFixes(product, isOfStream), scheme)
  known.set(key, fixes)
  return fixes
}

function sortFixes({ texts }: ProductRows, fixes: readonly Candidate[], scheme: SchemeName): readonly Candidate[] {
  // A version that cannot even be compared with itself is unreadable in this scheme, so it cannot be suggested.
  const readable = fixes.filter(({ index }) => texts.compare(scheme, index, index) === 0)
  return readable.toSorted((a, b) => (texts.compare(scheme, a.index, b.index) ?? 0) || (a.version < b.version ? -1 : 1))
}

function collectFixes({ rows }: ProductRows, concerns: (row: StoredRow) => boolean): readonly Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const prepared of rows) {
    const { row } = prepared
    const { high, source } = row
    const named = row.isAffected ? { version: row.fixed, index: prepared.fixed } : readHotfix(prepared)
    // No one upgrades to a commit.
    if (named === undefined || named.version === null || row.scheme === 'commit' || !concerns(row)) continue
    const { version: fixed, index } = named
    const isNamed = fixed !== high || namesFixedReleases(source) || candidates.get(fixed)?.seenIn === 'fixed_version'
    const seenIn = isNamed ? 'fixed_version' : 'range_end'
    const known = candidates.get(fixed)?.isPreRelease
    const isEarly = known ?? isPreRelease(fixed, row.scheme)
    candidates.set(fixed, { version: fixed, seenIn, index, major: readMajor(fixed), isPreRelease: isEarly })
  }
  return [...candidates.values()]
}

function readMajor(version: string): string | undefined {
  return /\d+/.exec(version)?.[0]
}
