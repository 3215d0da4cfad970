// The facts of a record from which its verdict is written. A fact that the record does not state is absent here, so the
// verdict cannot say it.
import type { Cve, Level } from 'vis-sdk'
import { formatNumber } from '../format.ts'
import { describeSource } from '../source-names.ts'
import { readCvssVector } from './cvss-vector.ts'
import { nameFirstProduct } from './first-product.ts'
import { type FixGroup, groupFixes } from './fix-groups.ts'
import { findCurrentEuKevEntry } from './kev-catalogs.ts'
import { canMean } from './product-name.ts'
import { listRatings } from './ratings.ts'

type ExploitationFact =
  /** In a catalog of known exploited vulnerabilities; the days are those of the catalogs. */
  | { readonly kind: 'listed'; readonly cisa?: string; readonly eu?: string; readonly hasRansomware: boolean }
  /** Sources report attacks. */
  | { readonly kind: 'reported'; readonly by: readonly string[] }
  | {
      readonly kind: 'exploit'
      readonly maturity: 'weaponized' | 'functional' | 'poc'
      /** Names of what holds or reports the exploit, such as "Exploit-DB". */
      readonly by: readonly string[]
      /** Whether repositories that nobody has checked are the only evidence. */
      readonly isUnchecked: boolean
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }

export interface AttackFact {
  readonly place: 'network' | 'adjacent' | 'local' | 'physical'
  readonly login: 'none' | 'ordinary' | 'administrator' | 'several'
  readonly needsUser: boolean
  /** Aspects with a high impact on the vulnerable system, and those with a limited one. */
  readonly high: readonly string[]
  readonly limited: readonly string[]
}

export interface FixFact {
  /** Products with a fixed version that no source contradicts. */
  readonly groups: readonly Pick<FixGroup, 'name' | 'versions' | 'isDerived'>[]
  /** Whether none of them is the product that CISA lists: they may be other products with the same flaw. */
  readonly isOtherProduct: boolean
  /** Named fixed versions that other sources contradict; only if there is no other. */
  readonly doubted: readonly string[]
  /** Number of packages that contain the product and have a fixed version. */
  readonly downstreamCount: number
  readonly hasCommit: boolean
  /** Whether the record leaves fixes out, so that the counts are not complete. */
  readonly isIncomplete: boolean
  /** Whether a source says that a fix exists, without a version. */
  readonly isPatchNamed: boolean
  /** Kinds of other advice, and who gives it. */
  readonly advice: Readonly<Partial<Record<'workaround' | 'mitigation' | 'none_planned' | 'none_available', string>>>
}

export interface VerdictFacts {
  readonly id: string
  /** Undefined for a rejected id, and if the service has computed no level yet. */
  readonly level?: Exclude<Level, 'unrated'>
  /** The product that the CVE is about; undefined if no source names one. */
  readonly product?: string
  /** Who rejected the id; empty if no source is named. Undefined if the id was not rejected. */
  readonly rejectedBy?: string
  readonly isDisputed: boolean
  readonly isHosted: boolean
  readonly isUnsupported: boolean
  readonly exploitation: ExploitationFact
  /** Day on which CISA removed its entry. */
  readonly removedFromKev?: string
  readonly attack?: AttackFact
  /** A source states that an attacker gets total control. */
  readonly hasTotalImpact: boolean
  readonly fix: FixFact
  /** What would rate a CVE that is not assessed yet, and the day since which it is awaited. */
  readonly unrated?: { readonly awaiting: readonly string[]; readonly since: string | undefined }
}

export function isRejected({ status }: Pick<Cve, 'status'>): boolean {
  return status.toLowerCase() === 'rejected'
}

export function readFacts(cve: Cve): VerdictFacts {
  const { tags = [], priority, sources } = cve
  const removed = findRemoval(cve)
  const attack = readAttack(cve)
  const level = priority?.level
  const unrated = level === 'unrated' ? priority : undefined
  const product = nameFirstProduct(cve) ?? groupFixes(cve).groups[0]?.name
  return {
    id: cve.cve_id,
    ...(level && level !== 'unrated' && !isRejected(cve) && { level }),
    ...(product !== undefined && product !== '' && { product }),
    ...(isRejected(cve) && { rejectedBy: describeFirst(sources?.status?.stated_by) }),
    isDisputed: tags.includes('disputed'),
    isHosted: tags.includes('exclusively-hosted-service'),
    isUnsupported: tags.includes('unsupported-when-assigned'),
    exploitation: readExploitation(cve),
    ...(removed !== undefined && { removedFromKev: removed }),
    ...(attack && { attack }),
    hasTotalImpact: sources?.technical_impact?.stated_by[0]?.value === 'total',
    fix: readFix(cve),
    ...(unrated && { unrated: { awaiting: unrated.awaiting ?? [], since: unrated.since ?? undefined } }),
  }
}

function describeFirst(statements: readonly { readonly source: string }[] = []): string {
  const [first] = statements
  return first === undefined || first.source === 'rules' ? '' : describeSource(first.source)
}

function findRemoval({ kev, exploits }: Cve): string | undefined {
  if (kev) return undefined
  return exploits?.kev_catalogs.find(({ name }) => name === 'cisa')?.removed_at ?? undefined
}

function readExploitation(cve: Cve): ExploitationFact {
  const { kev, exploits } = cve
  const eu = findCurrentEuKevEntry(cve)
  if (kev || eu) {
    return {
      kind: 'listed',
      ...(kev && { cisa: kev.dateAdded }),
      ...(eu && { eu: eu.since }),
      hasRansomware: kev?.knownRansomware === true,
    }
  }
  if (exploits === undefined) return { kind: 'unknown' }
  const { maturity } = exploits
  if (maturity === 'ransomware' || maturity === 'active') return { kind: 'reported', by: listReporters(cve) }
  if (maturity === 'none') return { kind: 'none' }
  return { kind: 'exploit', maturity, by: listExploitHolders(cve, maturity), isUnchecked: exploits.verified === false }
}

type Evidence = NonNullable<Cve['exploits']>['evidence'][number]

function listReporters({ exploits }: Cve): readonly string[] {
  const found = (exploits?.evidence ?? []).filter(
    ({ kind, maturity }) => (kind === 'ssvc' || kind === 'vendor') && maturity === 'active',
  )
  return unique(found.map(({ source = 'a source' }) => source))
}

const HOLDERS: Readonly<Partial<{ readonly [Kind in Evidence['kind']]: string }>> = {
  metasploit: 'Metasploit',
  exploitdb: 'Exploit-DB',
  nuclei: 'Nuclei',
}

/** Names what shows the given maturity; repositories are counted. */
function listExploitHolders({ exploits }: Cve, maturity: string): readonly string[] {
  const shown = (exploits?.evidence ?? []).filter((each) => each.maturity === maturity && each.gone !== true)
  const names = unique(
    shown.flatMap(({ kind, source }) => HOLDERS[kind] ?? (kind === 'repository' ? [] : (source ?? []))),
  )
  const repositories = maturity === 'poc' ? (exploits?.counts.repository ?? 0) : 0
  if (repositories === 0) return names
  return [...names, `${formatNumber(repositories)} ${repositories === 1 ? 'repository' : 'repositories'}`]
}

const unique = (names: readonly string[]) => [...new Set(names)]

const PLACES = {
  Network: 'network',
  'Adjacent network': 'adjacent',
  Local: 'local',
  Physical: 'physical',
} as const

const LOGINS = {
  None: 'none',
  Low: 'ordinary',
  Single: 'ordinary',
  High: 'administrator',
  Multiple: 'several',
} as const

function find<Value>(table: Readonly<{ [name: string]: Value }>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Reads the conditions and the impact from the leading CVSS vector. */
function readAttack(cve: Cve): AttackFact | undefined {
  const [rating] = listRatings(cve)
  const vector = rating && readCvssVector(rating.version, rating.vector)
  if (vector === undefined) return undefined
  const value = (...codes: string[]) => vector.metrics.find(({ code }) => codes.includes(code))?.value ?? ''
  const place = find<AttackFact['place']>(PLACES, value('AV'))
  const login = find<AttackFact['login']>(LOGINS, value('PR', 'Au'))
  if (place === undefined || login === undefined) return undefined
  const own = vector.metrics.filter(({ code, group }) => group === 'impact' && !code.startsWith('S'))
  const toAspect = ({ name }: { readonly name: string }) => (name.split(',')[0] ?? name).toLowerCase()
  return {
    place,
    login,
    needsUser: !['None', ''].includes(value('UI')),
    high: own.filter(({ filled, segments }) => filled === segments).map(toAspect),
    limited: own.filter(({ filled, segments }) => filled > 0 && filled < segments).map(toAspect),
  }
}

function readFix(cve: Cve): FixFact {
  const { groups, downstream, commits, omitted } = groupFixes(cve)
  const kevProduct = cve.kev?.product
  const usable = dropRepeated(groups.filter(({ versions }) => versions.length > 0))
  const doubted = usable.length > 0 ? [] : groups.flatMap(({ fixes }) => fixes.map(({ version }) => version))
  return {
    groups: usable,
    isOtherProduct: kevProduct !== undefined && usable.every(({ product }) => !canMean(kevProduct, product)),
    doubted: unique(doubted),
    downstreamCount: new Set(
      downstream.map(({ vendor, product, package_name }) => `${vendor} ${product} ${package_name}`),
    ).size,
    hasCommit: commits.length > 0,
    isIncomplete: omitted > 0,
    isPatchNamed: cve.enrichment?.patch_available === true,
    advice: readAdvice(cve),
  }
}

/** Sources name one product differently. The same versions under another name would only repeat the instruction. */
function dropRepeated(groups: readonly FixGroup[]): readonly FixGroup[] {
  return [...new Map(groups.toReversed().map((group) => [group.versions.join(' '), group])).values()].toReversed()
}

function readAdvice({ remediations = [] }: Cve): FixFact['advice'] {
  const advice: { [kind: string]: string } = {}
  for (const { kind, source } of remediations) if (kind !== 'fix') advice[kind] ??= describeSource(source)
  return advice
}
