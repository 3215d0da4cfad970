// Decides whether a document passes a gate, and reports what was not assessed (decision E30).
import { type Allowance, MAX_GATE_COMPONENTS, MAX_GATE_IDS } from '../../../contract/gate.ts'
import {
  type AllowableReason,
  GATE_REASONS,
  GATE_RESULTS,
  type GateReason,
  type GateResult,
  NATURES,
  type Nature,
} from '../../../domain/gate-words.ts'
import type { Level } from '../../../domain/priority/policy.ts'
import { isOlderThan } from '../../../domain/source/data-age.ts'
import { judgeCoverage } from '../../coverage/coverage.ts'
import type { DataSetState } from '../../coverage/data-sets.ts'
import type { MatchedComponent } from '../../match.ts'
import { type ComponentLabel, labelSkipped, type NamedComponent } from '../document/name-component.ts'
import type { Sbom } from '../document/read-sbom.ts'
import { compileGlob } from './glob.ts'
import { BY_CALL, listHidden, listReasons } from './reasons.ts'

/** Sent to another thread, so all values must be cloneable. */
export interface GateOptions {
  readonly failOn: Level
  readonly allow: readonly Allowance[]
  readonly own: readonly string[]
  /** Maximum age in days; undefined means each data set's own limit. */
  readonly maxDataAge: number | undefined
}

export interface Gate {
  add(group: readonly NamedComponent[], matched: readonly MatchedComponent[]): void
  render(): string
}

interface NamedEntry {
  readonly index?: number | undefined
  readonly ref: string | undefined
  readonly label: ComponentLabel
}

const DAY_SECONDS = 24 * 60 * 60

export function createGate(options: GateOptions, sbom: Sbom, sets: readonly DataSetState[], now: Date): Gate {
  const { failOn, maxDataAge } = options
  const usual = judgeCoverage(sets, now)
  const accepted =
    maxDataAge === undefined
      ? usual
      : judgeCoverage(sets, now, (times) => isOlderThan(times, maxDataAge * DAY_SECONDS, now))
  const tally = createTally(options)
  const isOwn = compileAny(options.own)
  addSkipped(tally, sbom, isOwn)
  return {
    add: (group, matched) => {
      for (const [position, each] of matched.entries()) {
        const named = group[position]
        if (named === undefined) continue
        for (const [by, ids] of listHidden(each, failOn)) tally.hide(by, named, ids)
        const judge = ({ findCoverage, levels }: typeof usual) =>
          listReasons({ matched: each, failOn, coverage: findCoverage(each.component), levels })
        const isExempt = isOwn(named.label)
        if (isExempt) tally.exempt('own', named)
        const reasons = judge(accepted)
        for (const { reason, ids } of reasons)
          if (!isExempt || GATE_REASONS[reason].result === 'failed') tally.add(reason, named, ids)
        const isAcceptedOnly = !hasReason(reasons, 'stale') && hasReason(judge(usual), 'stale')
        if (maxDataAge !== undefined && !isExempt && isAcceptedOnly) tally.acceptAge(named)
      }
    },
    render: () => JSON.stringify(tally.sum()),
  }
}

const hasReason = (found: readonly { readonly reason: GateReason }[], reason: GateReason) =>
  found.some((each) => each.reason === reason)

type NamesEntry = (label: ComponentLabel) => boolean

/** Compares the pattern with each name of an entry: purl, CPE name, name, and name with version. */
function compilePattern(pattern: string): NamesEntry {
  const matches = compileGlob(pattern)
  return ({ name, version, purl, cpe }) => {
    const names = [purl, purl && decode(purl), cpe, name, version && `${name}@${version}`]
    return names.some((each) => each !== undefined && each !== '' && matches(each))
  }
}

/** Purls escape the `@` of scoped npm packages as %40, but people write `pkg:npm/@acme/*`. */
function decode(purl: string): string {
  try {
    return decodeURIComponent(purl)
  } catch {
    return purl
  }
}

function compileAny(patterns: readonly string[]): NamesEntry {
  const compiled = patterns.map(compilePattern)
  return (label) => compiled.some((names) => names(label))
}

function addSkipped(tally: Tally, { root, skipped, components }: Sbom, isOwn: NamesEntry): void {
  if (root !== undefined) tally.exempt('root', { ref: undefined, label: labelSkipped(root) })
  for (const entry of skipped) {
    const nature = entry.nature ?? (isOwn(entry.label) ? 'own' : undefined)
    if (nature === undefined) tally.add('skipped', entry, [])
    else tally.exempt(nature, entry)
  }
  if (components.length === 0) tally.add('empty', undefined, [])
}

interface Tally {
  /** Counts a reason unless an allowance accepts it. If no entry is given, the reason concerns the whole document. */
  add(reason: GateReason, entry: NamedEntry | undefined, ids: readonly string[]): void
  exempt(nature: Nature, entry: NamedEntry): void
  /** Counts an entry with hits that would count if nobody had hidden them. */
  hide(by: string, entry: NamedEntry, ids: readonly string[]): void
  /** Counts an entry whose data is accepted only because of `max_data_age`. */
  acceptAge(entry: NamedEntry): void
  sum(): object
}

interface Listed {
  count: number
  readonly listed: object[]
}

const createListed = (): Listed => ({ count: 0, listed: [] })

function createTally({ failOn, allow, maxDataAge }: GateOptions): Tally {
  const reasons = new Map<GateReason, Listed>()
  const natures = new Map<Nature, Listed>()
  const stale = createListed()
  const hidden = new Map<string, Listed & { hits: number }>()
  const allowances = allow.map(({ reason, pattern }) => ({
    reason,
    pattern,
    names: pattern === null ? () => true : compilePattern(pattern),
    listed: createListed(),
  }))
  const findAllowance = (reason: GateReason, entry: NamedEntry | undefined) =>
    allowances.find(
      (each) => each.reason === reason && (entry === undefined ? each.pattern === null : each.names(entry.label)),
    )
  return {
    add: (reason, entry, ids) => {
      const listed = findAllowance(reason, entry)?.listed ?? getOrCreate(reasons, reason)
      count(listed, entry, ids)
    },
    exempt: (nature, entry) => count(getOrCreate(natures, nature), entry, []),
    hide: (by, entry, ids) => {
      const found = hidden.get(by) ?? { ...createListed(), hits: 0 }
      hidden.set(by, found)
      found.hits += ids.length
      count(found, entry, ids)
    },
    acceptAge: (entry) => count(stale, entry, []),
    sum: () => {
      const words = REASONS.filter((reason) => reasons.has(reason))
      const results = new Set<GateResult>(words.map((reason) => GATE_REASONS[reason].result))
      return {
        result: GATE_RESULTS.find((each) => results.has(each)) ?? 'passed',
        fail_on: failOn,
        findings: words.map((reason) => ({ reason, result: GATE_REASONS[reason].result, ...reasons.get(reason) })),
        allowances: [
          ...allowances.map(({ reason, pattern, listed }) => ({
            reason,
            ...(pattern !== null && { pattern }),
            ...listed,
          })),
          ...(maxDataAge === undefined ? [] : [{ reason: 'stale', ...stale }]),
        ],
        not_judged: NATURE_WORDS.flatMap((nature) => {
          const listed = natures.get(nature)
          return listed === undefined ? [] : [{ nature, ...listed }]
        }),
        hidden: [...hidden].map(([by, { hits, ...listed }]) => ({ set_by: by, hits_total: hits, ...listed })),
        warnings: [...listWarnings(allow, maxDataAge), ...[...hidden].map(([by, { hits }]) => warnOfHidden(by, hits))],
      }
    },
  }
}

const REASONS = Object.keys(GATE_REASONS) as GateReason[]
const NATURE_WORDS = Object.keys(NATURES) as Nature[]

function getOrCreate<Key>(map: Map<Key, Listed>, key: Key): Listed {
  const found = map.get(key) ?? createListed()
  map.set(key, found)
  return found
}

function count(listed: Listed, entry: NamedEntry | undefined, ids: readonly string[]): void {
  listed.count += 1
  if (entry === undefined || listed.listed.length >= MAX_GATE_COMPONENTS) return
  const { index, ref, label } = entry
  listed.listed.push({
    ...(index !== undefined && { index }),
    ...(ref !== undefined && { ref }),
    name: label.purl ?? label.cpe ?? [label.name, label.version].filter(Boolean).join(' '),
    ...(ids.length > 0 && { ids: ids.slice(0, MAX_GATE_IDS) }),
  })
}

function warnOfHidden(by: string, hits: number): string {
  const what = hits === 1 ? '1 hit that would count is hidden' : `${hits} hits that would count are hidden`
  return by === BY_CALL ? `${what} by entries of suppress.` : `${what} by triage states that ${by} set.`
}

/** Allowances that, without a pattern, hide every gap of that type. */
const BROAD: Readonly<Partial<Record<AllowableReason, string>>> = {
  uncovered: 'allow=uncovered has no pattern: components that no source covers pass this gate without being judged.',
}

function* listWarnings(allow: readonly Allowance[], maxDataAge: number | undefined): Generator<string> {
  const broad = new Set(allow.filter(({ pattern }) => pattern === null).map(({ reason }) => reason))
  for (const reason of broad) {
    const text = BROAD[reason]
    if (text !== undefined) yield text
  }
  if (maxDataAge !== undefined)
    yield `max_data_age accepts data of up to ${maxDataAge} days; newer CVEs may be missing.`
}
