// Facts and conclusions about one CVE, of which a test names only what its sentence is about.

import type { Affected, CpeMatch, Rating, Reference, Statement } from '../../src/catalog/model/claim.ts'
import type { Chosen, Resolved, ResolvedCpe } from '../../src/catalog/model/resolved.ts'
import type { ExploitFact, Facts, KevFact, Knowledge, NoticeFact } from '../../src/catalog/model/source-data.ts'
import { render } from '../../src/catalog/render/render.ts'
import { parseCanonicalCveId } from '../../src/domain/cve-id.ts'
import { baseScore } from '../../src/domain/cvss-score.ts'
import { parseCvssVector } from '../../src/domain/cvss-vector.ts'
import { expectPromised } from './schema-assertions.ts'

export const CVE_ID = cveIdOf('CVE-2024-0001')
const DAY = new Date('2024-03-05T10:20:30Z')

/** 9.8 */
export const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
/** 5.5 */
export const V30 = 'CVSS:3.0/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H'
/** 9.3 */
export const V40 = 'CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N'
/** 6.8 */
export const V2 = 'AV:N/AC:M/Au:S/C:P/I:P/A:P'

function cveIdOf(text: string) {
  const id = parseCanonicalCveId(text)
  if (id === undefined) throw new Error(`${text} is no CVE id`)
  return id
}

export function facts(known: Partial<Facts> = {}): Facts {
  return { cveId: CVE_ID, records: [], kev: null, notices: [], exploits: [], mappings: [], epssScore: null, ...known }
}

export function resolved(known: Partial<Resolved> = {}): Resolved {
  return {
    cveId: CVE_ID,
    sourceTag: 'nvd',
    published: chosen(DAY),
    modified: chosen(DAY),
    status: chosen('Received'),
    description: chosen('A flaw that we made up.'),
    score: null,
    v3: null,
    v4: null,
    v2: null,
    weaknesses: [],
    cpe: cpe([]),
    affected: [],
    references: [],
    exploitation: null,
    fix: null,
    sources: ['nvd'],
    statements: [],
    ...known,
  }
}

export function knowledge(known: Partial<Knowledge> = {}): Knowledge {
  return { weaknesses: new Map(), techniquesOfWeakness: new Map(), activeTechniques: new Set(), ...known }
}

export function chosen<T>(value: T, by = 'nvd'): Chosen<T> {
  return { value, by, runnersUp: [] }
}

export function rating(vector: string, by = 'nvd'): Rating {
  const parsed = parseCvssVector(vector)
  if (parsed === undefined) throw new Error(`${vector} is no vector`)
  const score = baseScore(parsed)
  return { by, isPrimary: by === 'nvd', version: parsed.version, vector: parsed.vector, score, statedScore: score }
}

export function cpe(matches: readonly CpeMatch[], by: string | null = matches.length > 0 ? 'nvd' : null): ResolvedCpe {
  return { configurations: configurations(matches), matches, by, isDerived: false, runnersUp: [] }
}

export function configurations(matches: readonly CpeMatch[]): Statement['configurations'] {
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

export function statement(known: Partial<Statement> = {}): Statement {
  return {
    source: 'nvd',
    speaker: known.source ?? 'nvd',
    modified: DAY,
    published: null,
    status: null,
    description: null,
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

export function kev(known: Partial<KevFact> = {}): KevFact {
  return {
    vendorProject: 'Maker',
    product: 'Thing',
    vulnerabilityName: 'A name that we made up',
    dateAdded: '2024-03-06',
    shortDescription: 'A description that we made up.',
    requiredAction: 'Do something.',
    dueDate: '2024-03-27',
    knownRansomware: false,
    notes: 'https://example.org/note',
    removedAt: null,
    ...known,
  }
}

export function notice(id: string, known: Partial<NoticeFact> = {}): NoticeFact {
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

export function exploit(feed: ExploitFact['feed'], known: Partial<ExploitFact> = {}): ExploitFact {
  return {
    feed,
    id: '1234',
    title: 'someone/something',
    url: 'https://example.org/exploit',
    published: '2024-03-07',
    rank: null,
    ...known,
  }
}

interface About {
  readonly facts?: Partial<Facts>
  readonly resolved?: Partial<Resolved>
  readonly knowledge?: Partial<Knowledge>
}

/** A CVE as it is published, with every text held against its schema and parsed. */
export function published(about: About) {
  const given = render(facts(about.facts), resolved(about.resolved), knowledge(about.knowledge))
  expectPromised(given)
  const { columns, fragments, details } = given
  return {
    columns,
    fragments: mapValues(fragments, parsed),
    details: Object.fromEntries(details.map(({ source, record }) => [source, parsed(record)])),
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}

function mapValues<K extends string, T>(of: Readonly<Record<K, string>>, change: (text: string) => T): Record<K, T> {
  // Object.fromEntries forgets the names that it was given.
  return Object.fromEntries(Object.entries<string>(of).map(([name, text]) => [name, change(text)])) as Record<K, T>
}
