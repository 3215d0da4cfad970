// Builds source data and merged CVEs with default values, so that a test names only the members that it tests.
import type { Affected, Claim, CpeMatch, Rating, Reference } from '../../src/catalog/model/claim.ts'
import type { FixEvidence } from '../../src/catalog/model/fix-evidence.ts'
import type { Attributed, Chosen, Fix, Resolved, ResolvedCpe } from '../../src/catalog/model/resolved.ts'
import type {
  AcscNotice,
  EuKevEntry,
  ExploitItem,
  KevEntry,
  ReferenceData,
  SourceData,
} from '../../src/catalog/model/source-data.ts'
import { render } from '../../src/catalog/render/render.ts'
import { listParts } from '../../src/catalog/resolve/parts.ts'
import { listCpeCandidates } from '../../src/catalog/resolve/products/cpe.ts'
import { parseCanonicalCveId } from '../../src/domain/cve-id.ts'
import { baseScore } from '../../src/domain/cvss/cvss-score.ts'
import { parseCvssVector } from '../../src/domain/cvss/cvss-vector.ts'
import { formatInstant } from '../../src/domain/instant.ts'
import { expectValidCve } from './schema-assertions.ts'

export const CVE_ID = toCveId('CVE-2024-0001')
const DAY = new Date('2024-03-05T10:20:30Z')

/** CVSS 3.1 vector with the score 9.8. */
export const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
/** CVSS 3.0 vector with the score 5.5. */
export const V30 = 'CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H'
/** CVSS 4.0 vector. */
export const V40 = 'CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
/** CVSS 2.0 vector with the score 6.0. */
export const V2 = 'AV:N/AC:M/Au:S/C:P/I:P/A:P'

export function toCveId(text: string) {
  const id = parseCanonicalCveId(text)
  if (id === undefined) throw new Error(`${text} is not a canonical CVE id`)
  return id
}

export function sourceData(known: Partial<SourceData> = {}): SourceData {
  return {
    cveId: CVE_ID,
    records: [],
    kev: null,
    euKev: null,
    notices: [],
    exploits: [],
    removedExploits: [],
    mappings: [],
    debian: [],
    epssScore: null,
    epssHeld: [],
    ...known,
  }
}

export function resolved(known: Partial<Resolved> = {}): Resolved {
  return {
    cveId: CVE_ID,
    sourceTag: 'nvd',
    published: chosen(DAY),
    modified: { ...chosen(DAY), time: formatInstant(DAY) },
    status: chosen('Received'),
    description: chosen('A flaw in Example Router.'),
    tags: [],
    score: null,
    v3: null,
    v4: null,
    v2: null,
    weaknesses: [],
    cpe: cpe([]),
    cpeCandidates: listCpeCandidates(known.claims ?? []),
    affected: [],
    references: [],
    exploitation: null,
    ssvc: null,
    fix: null,
    doubtedFixes: [],
    doubted: [],
    omittedFixes: 0,
    fixes: [],
    conclusions: [],
    parts: listParts(known.claims ?? [], { affected: [], references: [], ...known }),
    sources: ['nvd'],
    claims: [],
    ...known,
  }
}

export function referenceData(known: Partial<ReferenceData> = {}): ReferenceData {
  return { weaknesses: new Map(), activeTechniques: new Set(), ...known }
}

export function attributed<T>(value: T, by = 'nvd'): Attributed<T> {
  return { value, by, time: null }
}

export function chosen<T>(value: T, by = 'nvd'): Chosen<T> {
  return { ...attributed(value, by), runnersUp: [] }
}

/** A fixed version of a product that the CVE is about, in NVD's record. */
export function buildFix(known: Partial<Fix> = {}): Fix {
  return {
    vendor: 'example',
    product: 'router',
    packageUrl: null,
    branch: null,
    version: '1.1',
    isCommit: false,
    by: 'nvd',
    time: '2026-08-01T00:00:00Z',
    member: 'versionEndExcluding',
    rank: 'own',
    isDoubted: false,
    contradictedBy: [],
    rivals: [],
    agreeing: [],
    ...known,
  }
}

export function fixedIn(version: string, member: NamedVersion['member'] = 'lessThan'): NamedVersion {
  return { kind: 'version', member, version }
}

type NamedVersion = Extract<FixEvidence, { kind: 'version' }>

export function rating(vector: string, by = 'nvd'): Rating {
  const parsed = parseCvssVector(vector)
  if (parsed === undefined) throw new Error(`${vector} is not a CVSS vector`)
  const score = baseScore(parsed)
  return { by, version: parsed.version, vector: parsed.vector, score, statedScore: score }
}

export function cpe(matches: readonly CpeMatch[], by: string | null = matches.length > 0 ? 'nvd' : null): ResolvedCpe {
  return { configurations: configurations(matches), matches, by, time: null, isDerived: false, runnersUp: [] }
}

export function configurations(matches: readonly CpeMatch[]): Claim['configurations'] {
  return [{ operator: 'OR', negate: false, nodes: [{ operator: 'OR', negate: false, matches }] }]
}

export function match(product: string, limits: Partial<CpeMatch> = {}): CpeMatch {
  return { vulnerable: true, criteria: `cpe:2.3:a:maker:${product}:*:*:*:*:*:*:*:*`, ...limits }
}

export function affected(known: Partial<Affected> = {}): Affected {
  return {
    by: 'cna:maker',
    vendor: 'Maker',
    product: 'Thing',
    cpes: [],
    packageUrl: null,
    ranges: [],
    ...known,
  }
}

export function reference(url: string, ...tags: string[]): Reference {
  return { url: `https://example.org/${url}`, by: 'maker', tags }
}

export function claim(known: Partial<Claim> = {}): Claim {
  return {
    source: 'nvd',
    provider: known.source ?? 'nvd',
    modified: DAY,
    published: null,
    status: null,
    description: null,
    tags: [],
    ratings: [],
    weaknesses: [],
    configurations: [],
    configurationsBy: known.source ?? 'nvd',
    affected: [],
    references: [],
    exploitation: null,
    fix: null,
    severityWord: null,
    ...known,
  }
}

export function kev(known: Partial<KevEntry> = {}): KevEntry {
  return {
    vendorProject: 'Example Networks',
    product: 'Example Router',
    vulnerabilityName: 'Example Router Denial of Service',
    dateAdded: '2024-03-06',
    shortDescription: 'A malformed packet restarts the router.',
    requiredAction: 'Install the update of the vendor.',
    dueDate: '2024-03-27',
    knownRansomware: false,
    notes: 'https://example.org/note',
    cwes: [],
    removedAt: null,
    ...known,
  }
}

export function euKevEntry(known: Partial<EuKevEntry> = {}): EuKevEntry {
  const dateListed = known.dateListed ?? '2026-08-18'
  const entry = { dateListed, dateReported: dateListed, patchedSince: null, removedAt: null }
  const names = { vendorProject: 'Maker', product: 'Router' }
  return { ...names, ...entry, origin: 'CERT-XX', exploitation: ['unknown'], ...known }
}

export function notice(id: string, known: Partial<AcscNotice> = {}): AcscNotice {
  return {
    id,
    title: `Notice ${id}`,
    type: 'alert',
    priority: 'Critical',
    published: DAY,
    updated: null,
    url: `https://example.org/${id}`,
    summary: null,
    affectedProducts: [],
    ...known,
  }
}

export function exploit(feed: ExploitItem['feed'], known: Partial<ExploitItem> = {}): ExploitItem {
  return {
    feed,
    id: feed === 'metasploit' ? 'exploit/multi/thing' : '1234',
    title: 'someone/something',
    url: 'https://example.org/exploit',
    published: '2024-03-07',
    rank: null,
    firstSeen: null,
    ...known,
  }
}

interface Overrides {
  readonly sourceData?: Partial<SourceData>
  readonly resolved?: Partial<Resolved>
  readonly referenceData?: Partial<ReferenceData>
}

/** Renders a CVE, checks every JSON text against its schema, and returns the parsed values. */
export function published(overrides: Overrides) {
  const rendered = render(
    sourceData(overrides.sourceData),
    resolved(overrides.resolved),
    referenceData(overrides.referenceData),
  )
  expectValidCve(rendered)
  const { search, fragments, details } = rendered
  return {
    search,
    fragments: mapValues(fragments, parseJson),
    details: Object.fromEntries(details.map(({ source, record }) => [source, parseJson(record)])),
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

function mapValues<K extends string, T>(
  object: Readonly<Record<K, string>>,
  change: (text: string) => T,
): Record<K, T> {
  // The type cast is needed because Object.fromEntries returns an object type whose keys are any strings.
  return Object.fromEntries(Object.entries<string>(object).map(([name, text]) => [name, change(text)])) as Record<K, T>
}
