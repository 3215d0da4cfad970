// Finds the nearest version of a component without a known hit. The candidates are the versions that sources call fixed
// and the ends of ranges; each of them is judged again.
import { SCHEMES, type SchemeName } from '../../domain/version/schemes.ts'
import type { AffectedRow } from './affected-row.ts'
import { concernsRelease, groupSubjects, type Hit, type JudgedComponent, judgeSubjects } from './judge.ts'
import { isSuperseded, mayEndEarlier } from './open-range.ts'
import { placeVersion } from './place-version.ts'

export interface Upgrade {
  /** Null if no candidate is without a hit, or if there are too many candidates to judge. */
  readonly version: string | null
  readonly seenIn: 'fixed_version' | 'range_end' | null
}

const NONE: Upgrade = { version: null, seenIn: null }

/** Maximum number of candidates that are judged with all rows. */
const MAX_JUDGED = 30

/** Maximum number of hits with which each candidate is compared first. Others are found when it is judged. */
const MAX_BLOCKING = 100
/** Maximum number of candidates that are looked at. */
const MAX_CANDIDATES = 500

/** Yields between judgements, so that the caller can pause, and returns the upgrade. */
export function* findUpgrade(
  judged: JudgedComponent,
  hits: readonly Hit[],
  isListed: (hit: Hit) => boolean,
): Generator<undefined, Upgrade> {
  const scheme = hits.find(({ row }) => row.scheme !== 'commit')?.row.scheme
  if (scheme === undefined || scheme === 'commit' || judged.component.version === null) return NONE
  const later = keepLater(judged, scheme)
  const blocking = hits
    .slice(0, MAX_BLOCKING)
    .map(({ row }) => row)
    .filter((row) => !mayEndEarlier(row))
  let left = MAX_JUDGED
  for (const candidate of listCandidates(judged, scheme).slice(0, MAX_CANDIDATES)) {
    const version = { text: candidate.version, base: candidate.version, update: null }
    yield
    if (blocking.some((row) => placeVersion(row, version) === 'inside')) continue
    if (left === 0) return NONE
    left -= 1
    const component = { ...judged.component, version }
    let found: Hit | undefined
    for (const hit of judgeSubjects({ ...judged, component, rows: later })) {
      yield
      if (hit === undefined || hit === 'unordered' || !isListed(hit)) continue
      found = hit
      break
    }
    if (found === undefined) return candidate
    if (!mayEndEarlier(found.row)) blocking.push(found.row)
  }
  return NONE
}

/** Drops ranges that end before the version of the component: no later version is in them. */
function keepLater({ component, rows }: JudgedComponent, scheme: SchemeName): readonly AffectedRow[] {
  const current = component.version?.text ?? ''
  const bySubject = groupSubjects(rows)
  return rows.filter((row) => {
    const { high, versions } = row
    if (versions !== null) return true
    if (high === null) return !isSuperseded(row, bySubject.get(row.subject_key) ?? [], component.version)
    const order = SCHEMES[scheme].compare(high, current)
    return order === undefined || order >= 0
  })
}

interface Candidate {
  readonly version: string
  readonly seenIn: 'fixed_version' | 'range_end'
}

/** Returns later versions, lowest first, those with the same major version before all others. */
function listCandidates({ component, rows }: JudgedComponent, scheme: SchemeName): readonly Candidate[] {
  const current = component.version?.text ?? ''
  const compare = (a: string, b: string) => SCHEMES[scheme].compare(a, b)
  const candidates = new Map<string, Candidate>()
  for (const row of rows) {
    const { fixed, high, is_affected } = row
    if (!concernsRelease(row, component)) continue
    if (fixed === null || !is_affected || (compare(fixed, current) ?? 0) <= 0) continue
    const isNamed = fixed !== high || candidates.get(fixed)?.seenIn === 'fixed_version'
    candidates.set(fixed, { version: fixed, seenIn: isNamed ? 'fixed_version' : 'range_end' })
  }
  const major = readMajor(current)
  const rank = ({ version }: Candidate) => Number(readMajor(version) !== major)
  return [...candidates.values()].sort(
    (a, b) => rank(a) - rank(b) || (compare(a.version, b.version) ?? 0) || (a.version < b.version ? -1 : 1),
  )
}

function readMajor(version: string): string | undefined {
  return /\d+/.exec(version)?.[0]
}
