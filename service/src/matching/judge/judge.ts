// Decides which CVEs and advisories affect a component, based on what every source says about its product.

import type { Component } from '../../domain/component/component.ts'
import { isMinorRelease, isOfRelease } from '../../domain/component/distribution-release.ts'
import { isMinorBuild, readBuildRelease } from '../../domain/component/rpm-release.ts'
import { CONFIDENCES, type Confidence, type MatchVerdict, type Saying } from '../../domain/match-words.ts'
import { isCsafVendor } from '../../domain/source/csaf-sources.ts'
import { RULES } from '../../domain/source/provider-names.ts'
import { DERIVED, type Requirement, type StoredRow, stripDerived } from '../../record/affected-row.ts'
import { isDivided } from '../versions/divided-range.ts'
import { isSuperseded } from '../versions/open-range.ts'
import { type Placement, placeRow } from '../versions/place-version.ts'
import {
  type PreparedRow,
  type PreparedSubject,
  type ProductRows,
  probeVersion,
  type VersionProbe,
} from '../versions/product-rows.ts'
import { createSubjectFilter, type SubjectFilter } from '../versions/subject-filter.ts'
import { type Inventory, listUnmet } from './conditions.ts'
import { rateHit } from './confidence.ts'
import { deriveStream } from './derive-stream.ts'
import { listFixes, type NamedFix } from './list-fixes.ts'
import { isNamedAsFixed } from './named-fix.ts'
import { concernsBuilder, concernsStream, type Doubt, findDoubt } from './reach.ts'

interface PlacedRow {
  readonly row: StoredRow
  readonly prepared: PreparedRow
  readonly placement: Placement
  readonly doubt: Doubt | undefined
}

interface OtherStatement {
  readonly row: StoredRow
  readonly says: Saying
}

export interface Hit {
  readonly subjectKey: string
  readonly verdict: MatchVerdict
  readonly confidence: Confidence
  /** The source's statement that the reason quotes. */
  readonly row: StoredRow
  readonly prepared: PreparedRow
  /** Why the statement may not reach the component. */
  readonly doubt: Doubt | undefined
  readonly others: readonly OtherStatement[]
  readonly fixes: readonly NamedFix[]
  /** Alternatives of which at least one must be in the inventory, but none is. */
  readonly requires: readonly Requirement[]
}

export interface JudgedComponent {
  readonly component: Component
  readonly product: ProductRows
  readonly inventory: Inventory
}

/** The component's module stream is derived from its version if the rows show how. */
export function prepareComponent({ component, product, inventory }: JudgedComponent): JudgedComponent {
  return { component: deriveStream(component, product), product, inventory }
}

/** The caller may pause after this many CVEs and advisories without a hit. */
const SUBJECTS_PER_STEP = 200

/**
 * Yields hits, and from time to time undefined to let the caller pause. Rows for which `isKept` is false are ignored.
 * `noteUnordered` gets the key of each CVE or advisory for which `unordered` is yielded.
 */
export function* judgeSubjects(
  { component, product, inventory }: JudgedComponent,
  isKept?: IsKept,
  noteUnordered: (subjectKey: string) => void = () => {},
): Generator<Hit | 'unordered' | undefined> {
  const concerns = createReleaseTest(component)
  const about = { component, inventory, ...readCircumstances({ component, product }, concerns, isKept) }
  const probe = component.version === null ? undefined : probeVersion(product, component.version)
  let skipped = 0
  const selected = selectSubjects({ component, product }, about.hasRelease ? probe : undefined)
  for (const subject of selected ?? product.subjects) {
    // Most CVEs and advisories concern only other versions.
    if (selected === undefined && about.hasRelease && !mayConcern(subject, probe, concerns)) {
      skipped += 1
      if (skipped % SUBJECTS_PER_STEP === 0) yield undefined
      continue
    }
    const kept = isKept === undefined ? subject.rows : subject.rows.filter((each) => isKept(each, subject))
    if (kept.length === 0) continue
    const found = about.hasRelease
      ? judgeSubject(subject, preferSameBuild(preferExactRelease(kept, component, concerns), component), about, probe)
      : 'unordered'
    if (found === 'unordered') noteUnordered(subject.key)
    yield found
  }
}

const filters = new WeakMap<ProductRows, SubjectFilter>()

/** Returns undefined if the version cannot be sorted among those in the rows. */
function selectSubjects(
  { component, product }: Pick<JudgedComponent, 'component' | 'product'>,
  probe: VersionProbe | undefined,
): readonly PreparedSubject[] | undefined {
  // The filter does not take into account that rows about a minor release replace others (preferExactRelease).
  if (probe === undefined || (component.kind === 'purl' && component.target?.includes('.'))) return undefined
  const filter = filters.get(product) ?? createSubjectFilter(product)
  filters.set(product, filter)
  return filter(probe)
}

export type IsKept = (row: PreparedRow, subject: PreparedSubject) => boolean
type IsOfRelease = (row: StoredRow) => boolean

function readCircumstances(
  { component, product }: Pick<JudgedComponent, 'component' | 'product'>,
  concerns: IsOfRelease,
  isKept: IsKept = () => true,
) {
  const hasRelease =
    concerns === EVERY_RELEASE ||
    product.subjects.some((subject) => subject.rows.some((each) => concerns(each.row) && isKept(each, subject)))
  const hasSeveralVendors = component.vendor === null && countVendors(product, isKept) > 1
  return { hasRelease, hasSeveralVendors }
}

function countVendors({ subjects }: ProductRows, isKept: IsKept): number {
  const vendors = new Set<string>()
  for (const subject of subjects)
    for (const each of subject.rows) if (isKept(each, subject)) vendors.add(each.row.vendor)
  return vendors.size
}

function mayConcern({ rows }: PreparedSubject, probe: VersionProbe | undefined, concerns: IsOfRelease): boolean {
  for (const each of rows)
    if (each.row.isAffected && placeRow(each, probe) !== 'outside' && concerns(each.row)) return true
  return false
}

const EVERY_RELEASE: IsOfRelease = () => true

/**
 * A row about another release of the distribution, another module stream or another build says nothing about this
 * package. If no row is about the package, it is unknown and must not be called unaffected. Cached by target: a product
 * has many rows but few targets.
 */
export function createReleaseTest(component: Component): IsOfRelease {
  const { kind, vendor, target: release, thirdParty } = component
  const mayBeInModule = vendor?.startsWith('rpm/') ?? false
  if (kind !== 'purl' || (release === null && thirdParty === undefined && !mayBeInModule)) return EVERY_RELEASE
  const targets = new Map<string, boolean>()
  return (row) => {
    const { target } = row
    if (!concernsBuilder(component, row) || !concernsStream(component, row)) return false
    if (release === null) return true
    const known = targets.get(target) ?? (target === '' || isOfRelease(target, release))
    targets.set(target, known)
    return known
  }
}

/**
 * Red Hat fixes packages of a minor release with extended support separately; its row for the major release then
 * applies only to later packages.
 */
function preferExactRelease(
  rows: readonly PreparedRow[],
  component: Component,
  concerns: IsOfRelease,
): readonly PreparedRow[] {
  const known = concerns === EVERY_RELEASE ? rows : rows.filter(({ row }) => concerns(row))
  const release = component.kind === 'purl' ? component.target : null
  if (release === null || !release.includes('.')) return known
  const exact = new Set(known.filter(({ row }) => isMinorRelease(row.target)).map(({ row }) => row.source))
  return known.filter(({ row }) => !exact.has(row.source) || isMinorRelease(row.target))
}

/**
 * A distribution that fixes a package in several minor releases publishes an erratum for each. The fixed version for the
 * minor release for which the component was built decides; the others are of other branches: AlmaLinux published 3,270 of
 * 3,282 such groups of errata within 200 days, so that a later one seldom repairs an incomplete fix.
 */
function preferSameBuild(rows: readonly PreparedRow[], { kind, vendor, version }: Component): readonly PreparedRow[] {
  if (rows.length < 2 || kind !== 'purl' || version === null || !vendor?.startsWith('rpm/')) return rows
  const own = readBuildRelease(version.text)
  if (own === undefined || !isMinorBuild(own)) return rows
  const readRelease = ({ fixed, isAffected }: StoredRow) =>
    isAffected && fixed !== null ? readBuildRelease(fixed) : undefined
  const decided = new Set(rows.filter(({ row }) => readRelease(row) === own).map(({ row }) => row.source))
  return rows.filter(({ row }) => (readRelease(row) ?? own) === own || !decided.has(row.source))
}

interface Circumstances {
  readonly component: Component
  readonly inventory: Inventory
  readonly hasSeveralVendors: boolean
}

/** `rows`: the rows about this CVE or advisory for the component's release, without those that `isKept` rejected. */
function judgeSubject(
  subject: PreparedSubject,
  rows: readonly PreparedRow[],
  about: Circumstances,
  probe: VersionProbe | undefined,
): Hit | 'unordered' | undefined {
  const placed = rows
    .map((prepared) => {
      const doubt = findDoubt(prepared, about.component, probe)
      return { row: prepared.row, prepared, placement: placeRow(prepared, probe), doubt }
    })
    // A stream that is unaffected does not make another one unaffected.
    .filter(({ row, doubt }) => row.isAffected || doubt !== 'stream')
  const counts = ({ row, prepared }: PlacedRow) =>
    row.isAffected && !isSuperseded(prepared, { subject, rows }, probe) && !isDivided(prepared, probe)
  const inside = placed.filter((each) => each.placement === 'inside' && counts(each))
  if (inside.length > 0) {
    const isContradicted = isNamedAsFixed({ inside, placed, isOwn }, probe)
    return buildHit({ subject, placed, isContradicted, probe }, rateAll(inside, about))
  }
  const affected = placed.filter(counts)
  const vague = affected.filter((each) => each.placement === 'vague' && !isExcluded(each, placed))
  if (vague.length > 0) return buildHit({ subject, placed, isContradicted: false, probe }, rateAll(vague, about))
  // Commits have no order, so they count only if there is nothing else to compare.
  const ordered = affected.filter(({ row }) => row.scheme !== 'commit')
  const decisive = ordered.length > 0 ? ordered : affected
  return decisive.some(({ placement }) => placement === 'unknown') ? 'unordered' : undefined
}

/**
 * Returns whether the source of a row that calls a product affected without naming versions also lists this version as
 * unaffected. An unaffected row without limits, which stands for all other versions, excludes nothing.
 */
function isExcluded({ row }: PlacedRow, placed: readonly PlacedRow[]): boolean {
  return placed.some(
    (each) =>
      each.placement === 'inside' && !each.row.isAffected && each.row.source === row.source && !isUnlimited(each.row),
  )
}

const isUnlimited = ({ versions, low, high }: StoredRow) => versions === null && low === null && high === null

interface RatedRow extends PlacedRow {
  readonly confidence: Confidence
  readonly unmet: readonly (readonly Requirement[])[]
}

/**
 * Puts the strongest evidence first. A conclusion never takes the place of a source's statement (decision E31), unless
 * that one hardly concerns the component.
 */
function rateAll(
  placed: readonly PlacedRow[],
  { component, inventory, hasSeveralVendors }: Circumstances,
): readonly RatedRow[] {
  return placed
    .map((each) => ({
      ...each,
      confidence: rateHit(each, component, hasSeveralVendors),
      unmet: listUnmet(each.row, inventory),
    }))
    .sort(compareProofs)
}

function compareProofs(a: RatedRow, b: RatedRow): number {
  return (
    Number(a.unmet.length > 0) - Number(b.unmet.length > 0) ||
    Number(a.confidence === 'low') - Number(b.confidence === 'low') ||
    Number(a.row.source === RULES) - Number(b.row.source === RULES) ||
    Number(a.doubt !== undefined) - Number(b.doubt !== undefined) ||
    CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
    rankSource(a.row.source) - rankSource(b.row.source)
  )
}

/** NVD has the most complete ranges; rows with names that we derived come last. */
function rankSource(source: string): number {
  if (source === 'nvd') return 0
  return source.startsWith(DERIVED) ? 2 : 1
}

interface Judgement {
  readonly subject: PreparedSubject
  readonly placed: readonly PlacedRow[]
  readonly isContradicted: boolean
  readonly probe: VersionProbe | undefined
}

function buildHit({ subject, placed, isContradicted, probe }: Judgement, rated: readonly RatedRow[]): Hit | undefined {
  const [best] = rated
  if (best === undefined) return undefined
  const others = listOthers(placed, best.row.source)
  const isStated = best.placement === 'inside' && best.row.source !== RULES && best.doubt === undefined
  const isSure = isStated && best.unmet.length === 0 && !isContradicted && !isDenied(others)
  return {
    subjectKey: subject.key,
    verdict: isSure ? 'affected' : 'possibly_affected',
    confidence: best.confidence,
    row: best.row,
    prepared: best.prepared,
    doubt: best.doubt,
    others,
    fixes: listFixes(rated, subject, probe),
    requires: best.unmet[0] ?? [],
  }
}

function listOthers(placed: readonly PlacedRow[], quoted: string): readonly OtherStatement[] {
  // Rows that a CNA gives under derived names are not a second opinion on its rows with CPE names.
  const provider = stripDerived(quoted)
  const others = placed.filter(({ row }) => row.source !== quoted && stripDerived(row.source) !== provider)
  if (others.length === 0) return []
  return [...Map.groupBy(others, ({ row }) => row.source).values()].map(summarise).filter((each) => each !== undefined)
}

/**
 * An affected version that a source lists outweighs its general statements. A row about all other versions ranks low:
 * this version may be among those that the source calls affected and that cannot be compared.
 */
function summarise(rows: readonly PlacedRow[]): OtherStatement | undefined {
  const first: Partial<Record<StatementKind, StoredRow>> = {}
  for (const each of rows) {
    first[classify(each)] ??= each.row
    // Commits can never be compared, so they tell us nothing here.
    if (each.row.isAffected && each.placement === 'unknown' && each.row.scheme !== 'commit')
      first.unordered ??= each.row
  }
  for (const [kind, says] of STATEMENTS) {
    const row = first[kind]
    if (row !== undefined) return { says, row }
  }
  return undefined
}

type StatementKind =
  | 'affected'
  | 'partly'
  | 'excluded'
  | 'vague'
  | 'unordered'
  | 'others'
  | 'outside'
  | 'unknown'
  | 'nothing'

/** The statements in order of precedence. */
const STATEMENTS: readonly (readonly [StatementKind, Saying])[] = [
  ['affected', 'affected'],
  ['partly', 'partly'],
  ['excluded', 'unaffected'],
  ['vague', 'no_version'],
  ['unordered', 'unknown'],
  ['others', 'unaffected'],
  ['outside', 'not_in_range'],
  ['unknown', 'unknown'],
]

function classify({ row, placement, doubt }: PlacedRow): StatementKind {
  if (row.isAffected && placement === 'inside' && doubt !== undefined) return 'partly'
  if (row.isAffected) return placement === 'inside' ? 'affected' : placement
  if (placement !== 'inside') return 'nothing'
  return isUnlimited(row) ? 'others' : 'excluded'
}

/**
 * Sources that assess their own products: the CVE's CNA, distributions, and vendors with CSAF documents. A coordinator
 * repeats others.
 */
const OWN = /^(?:derived:)?(?:cna:|redhat$|debian$|msrc$|rules$)/

const isOwn = ({ source }: StoredRow) => OWN.test(source) || isCsafVendor(stripDerived(source))

function isDenied(others: readonly OtherStatement[]): boolean {
  return others.some(({ says, row }) => says === 'unaffected' && isOwn(row))
}
