// Decides which CVEs and advisories affect a component, from what every source says about its product.
import { CONFIDENCES, type Confidence, type MatchVerdict, type Saying } from '../../domain/match-words.ts'
import { type AffectedRow, DERIVED, type Requirement } from './affected-row.ts'
import type { Component } from './component.ts'
import { type Inventory, listUnmet } from './conditions.ts'
import { rateHit } from './confidence.ts'
import { isMinorRelease, isOfRelease } from './distribution-release.ts'
import { isSuperseded } from './open-range.ts'
import { type Placement, placeVersion } from './place-version.ts'

interface PlacedRow {
  readonly row: AffectedRow
  readonly placement: Placement
}

/** What another source than that of the reason says about the version of the component. */
interface OtherStatement {
  readonly row: AffectedRow
  readonly says: Saying
}

/** A CVE or an advisory that affects the component, for sure or possibly. */
export interface Hit {
  readonly subjectKey: string
  readonly verdict: MatchVerdict
  readonly confidence: Confidence
  /** The statement that the reason quotes. */
  readonly row: AffectedRow
  readonly others: readonly OtherStatement[]
  readonly fixes: readonly { readonly version: string; readonly source: string }[]
  /** Products of which one must be present as well and is not in the inventory. */
  readonly requires: readonly Requirement[]
}

export interface JudgedComponent {
  readonly component: Component
  /** All rows that name the product. */
  readonly rows: readonly AffectedRow[]
  readonly inventory: Inventory
}

/** Groups the rows of a component by CVE or advisory. */
export function groupSubjects(rows: readonly AffectedRow[]): ReadonlyMap<string, readonly AffectedRow[]> {
  return Map.groupBy(rows, ({ subject_key }) => subject_key)
}

/** Returns the hits one subject at a time, so that the caller can pause in between. */
export function* judgeSubjects({
  component,
  rows,
  inventory,
}: JudgedComponent): Generator<Hit | 'unordered' | undefined> {
  const hasRelease = rows.some((row) => concernsRelease(row, component))
  const hasSeveralVendors = component.vendor === null && new Set(rows.map(({ vendor }) => vendor)).size > 1
  for (const [subjectKey, ofSubject] of groupSubjects(rows)) {
    if (!hasRelease) {
      yield 'unordered'
      continue
    }
    const placed = preferExactRelease(ofSubject, component).map((row) => ({
      row,
      placement: placeVersion(row, component.version),
    }))
    yield judgeSubject(subjectKey, placed, { component, inventory, hasSeveralVendors })
  }
}

/**
 * A statement about another release of the distribution says nothing about this package. If all statements are about other
 * releases, nothing is known about the package, and it must not be called unaffected.
 */
export function concernsRelease({ target }: AffectedRow, component: Component): boolean {
  if (component.kind !== 'purl' || target === '' || component.target === null) return true
  return isOfRelease(target, component.target)
}

/**
 * Returns the statements about the release of the component. Red Hat fixes packages of a minor release with extended support
 * on their own; its statement about the major release is about later packages then.
 */
function preferExactRelease(rows: readonly AffectedRow[], component: Component): readonly AffectedRow[] {
  const known = rows.filter((row) => concernsRelease(row, component))
  const release = component.kind === 'purl' ? component.target : null
  if (release === null || !release.includes('.')) return known
  const exact = new Set(known.filter(({ target }) => isMinorRelease(target)).map(({ source }) => source))
  return known.filter(({ source, target }) => !exact.has(source) || isMinorRelease(target))
}

interface Circumstances {
  readonly component: Component
  readonly inventory: Inventory
  readonly hasSeveralVendors: boolean
}

function judgeSubject(
  subjectKey: string,
  placed: readonly PlacedRow[],
  about: Circumstances,
): Hit | 'unordered' | undefined {
  const rows = placed.map(({ row }) => row)
  const affected = placed.filter(({ row }) => row.is_affected && !isSuperseded(row, rows, about.component.version))
  const inside = affected.filter(({ placement }) => placement === 'inside')
  if (inside.length > 0) return buildHit(subjectKey, placed, rateAll(inside, about))
  const vague = affected.filter((each) => each.placement === 'vague' && !isExcluded(each, placed))
  if (vague.length > 0) return buildHit(subjectKey, placed, rateAll(vague, about))
  // Commits have no order, so they only count if nothing else is known.
  const ordered = affected.filter(({ row }) => row.scheme !== 'commit')
  const decisive = ordered.length > 0 ? ordered : affected
  return decisive.some(({ placement }) => placement === 'unknown') ? 'unordered' : undefined
}

/**
 * A source that calls versions affected without naming them, and names versions that are not, does not mean the latter. Its
 * statement about all other versions excludes nothing.
 */
function isExcluded({ row }: PlacedRow, placed: readonly PlacedRow[]): boolean {
  return placed.some(
    (each) =>
      each.placement === 'inside' && !each.row.is_affected && each.row.source === row.source && !isUnlimited(each.row),
  )
}

const isUnlimited = ({ versions, low, high }: AffectedRow) => versions === null && low === null && high === null

interface RatedRow extends PlacedRow {
  readonly confidence: Confidence
  readonly unmet: readonly (readonly Requirement[])[]
}

/** Rates rows and puts the row that proves most first. */
function rateAll(
  placed: readonly PlacedRow[],
  { component, inventory, hasSeveralVendors }: Circumstances,
): readonly RatedRow[] {
  return placed
    .map((each) => ({
      ...each,
      confidence: rateHit(each.row, component, hasSeveralVendors),
      unmet: listUnmet(each.row, inventory),
    }))
    .sort(compareProofs)
}

function compareProofs(a: RatedRow, b: RatedRow): number {
  return (
    Number(a.unmet.length > 0) - Number(b.unmet.length > 0) ||
    CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
    rankSource(a.row.source) - rankSource(b.row.source)
  )
}

/** NVD's ranges are the most complete ones; names that the service derived come last. */
function rankSource(source: string): number {
  if (source === 'nvd') return 0
  return source.startsWith(DERIVED) ? 2 : 1
}

function buildHit(subjectKey: string, placed: readonly PlacedRow[], rated: readonly RatedRow[]): Hit | undefined {
  const [best] = rated
  if (best === undefined) return undefined
  const others = listOthers(placed, best.row.source)
  const isSure = best.placement === 'inside' && best.unmet.length === 0 && !isDeniedByVendor(others)
  return {
    subjectKey,
    verdict: isSure ? 'affected' : 'possibly_affected',
    confidence: best.confidence,
    row: best.row,
    others,
    fixes: listFixes(rated),
    requires: best.unmet[0] ?? [],
  }
}

function listOthers(placed: readonly PlacedRow[], quoted: string): readonly OtherStatement[] {
  const bySource = Map.groupBy(placed, ({ row }) => row.source)
  // What a CNA says by names that we derived is no second opinion on what it says by CPE names.
  return [...bySource]
    .flatMap(([source, rows]) => (nameProvider(source) === nameProvider(quoted) ? [] : [summarise(rows)]))
    .filter((each) => each !== undefined)
}

function nameProvider(source: string): string {
  return source.startsWith(DERIVED) ? source.slice(DERIVED.length) : source
}

/**
 * A source that lists a version as affected does so in spite of its own general statements. A statement about all other
 * versions comes late: the version may be one of those that the source calls affected and that cannot be compared.
 */
function summarise(rows: readonly PlacedRow[]): OtherStatement | undefined {
  const find = (isAffected: boolean, placement: Placement) =>
    rows.find((each) => each.row.is_affected === isAffected && each.placement === placement)?.row
  const unaffected = rows.filter(({ row, placement }) => !row.is_affected && placement === 'inside')
  const statements: readonly (readonly [Saying, AffectedRow | undefined])[] = [
    ['affected', find(true, 'inside')],
    ['unaffected', unaffected.find(({ row }) => !isUnlimited(row))?.row],
    ['no_version', find(true, 'vague')],
    ['unknown', findOrdered(rows)],
    ['unaffected', unaffected[0]?.row],
    ['not_in_range', find(true, 'outside')],
    ['unknown', find(true, 'unknown')],
  ]
  const [says, row] = statements.find(([, each]) => each !== undefined) ?? []
  return says === undefined || row === undefined ? undefined : { says, row }
}

/** Finds a row whose versions cannot be compared. Commits never can, so that they say nothing here. */
function findOrdered(rows: readonly PlacedRow[]): AffectedRow | undefined {
  return rows.find(({ row, placement }) => row.is_affected && placement === 'unknown' && row.scheme !== 'commit')?.row
}

/** Sources that speak about their own products: the CNA of the CVE, and distributions about their packages. */
const OWN = /^(?:derived:)?(?:cna:|redhat$|debian$|msrc$)/

function isDeniedByVendor(others: readonly OtherStatement[]): boolean {
  return others.some(({ says, row }) => says === 'unaffected' && OWN.test(row.source))
}

function listFixes(rated: readonly RatedRow[]): Hit['fixes'] {
  const fixes = new Map<string, Hit['fixes'][number]>()
  for (const { row } of rated) {
    if (row.fixed === null) continue
    const key = `${row.fixed}\n${row.source}`
    fixes.set(key, { version: row.fixed, source: row.source })
  }
  return [...fixes.values()]
}
