// The stored fragments of a CVE, as the API serves them. The audit checks stored rows, so a catalog published by an
// older version shows that version's defects. Columns that the catalog does not have yet count as null.
import { type JsonObject, objectIn, objectsIn, textIn, textsIn } from '../../sources/json.ts'

/** A row of catalog.cve_document with the sources of its detail records. Each column contains JSON text. */
export type ServedRow = Readonly<Record<string, unknown>> & {
  readonly cve_id: string
  readonly detail_sources: readonly string[]
}

export interface Served {
  readonly cveId: string
  readonly sourceTag: string
  readonly isRejected: boolean
  readonly published: string | null
  readonly description: string | null
  readonly score: number | null
  readonly cvss: JsonObject
  readonly matches: readonly ServedMatch[]
  readonly links: readonly string[]
  readonly techniques: readonly string[]
  /** `curated`, `derived`, or null if the catalog does not state where the techniques come from. */
  readonly techniqueMapping: string | null
  readonly tags: readonly string[]
  /** Number of configurations with AND and OR operators. */
  readonly configurationCount: number
  /** Provenance of every value as text; empty if the catalog has none. */
  readonly sourcesText: string
  readonly weaknesses: readonly string[]
  readonly cvssVector: string | null
  readonly cpeSource: string | null
  readonly hasExploit: boolean
  readonly hasPatch: boolean
  /** True if patch_available is false. Without enrichment, nothing is known about a patch. */
  readonly saysNoPatch: boolean
  /** Sources that have a full detail record. */
  readonly detailSources: readonly string[]
}

export interface ServedMatch {
  readonly isVulnerable: boolean
  readonly part: string
  readonly vendor: string
  readonly product: string
  /** Version without escapes; `*` for any version. */
  readonly version: string
  readonly startIncluding: string | null
  readonly startExcluding: string | null
  readonly endIncluding: string | null
  readonly endExcluding: string | null
  readonly isDerived: boolean
  readonly isUnmapped: boolean
  readonly isInverted: boolean
}

export function readServed(row: ServedRow): Served {
  const value = (column: string): unknown => parseJson(row[column])
  const wrapped: JsonObject = {
    cvss: value('cvss'),
    cpe: value('cpe'),
    references: value('references'),
    techniques: value('techniques'),
    tags: value('tags'),
    enrichment: value('enrichment'),
    source_tag: value('source_tag'),
    published: value('published'),
    description: value('description'),
    mapping: value('technique_mapping'),
  }
  const [enrichment, configurations] = [objectIn(wrapped, 'enrichment'), value('configurations')]
  const [score, description] = [value('severity'), wrapped['description']]
  return {
    cveId: row.cve_id,
    sourceTag: textIn(wrapped, 'source_tag') ?? '',
    isRejected: value('status') === 'Rejected',
    published: textIn(wrapped, 'published'),
    description: typeof description === 'string' ? description : null,
    score: typeof score === 'number' ? score : null,
    cvss: objectIn(wrapped, 'cvss'),
    matches: objectsIn(wrapped, 'cpe').map(readServedMatch),
    links: objectsIn(wrapped, 'references').flatMap((each) => textIn(each, 'url') ?? []),
    techniques: textsIn(wrapped, 'techniques'),
    techniqueMapping: textIn(wrapped, 'mapping'),
    tags: textsIn(wrapped, 'tags'),
    configurationCount: Array.isArray(configurations) ? configurations.length : 0,
    sourcesText: typeof row['sources'] === 'string' ? row['sources'] : '',
    weaknesses: textsIn(enrichment, 'cwe_list'),
    cvssVector: textIn(enrichment, 'cvss_vector'),
    cpeSource: textIn(enrichment, 'cpe_source'),
    hasExploit: enrichment['exploit_flag'] === true,
    hasPatch: enrichment['patch_available'] === true,
    saysNoPatch: enrichment['patch_available'] === false,
    detailSources: row.detail_sources,
  }
}

function readServedMatch(match: JsonObject): ServedMatch {
  // A colon inside a CPE value is escaped as `\:`, so the name is split at colons without a backslash before them.
  const [, , part = '', vendor = '', product = '', version = '*'] = (textIn(match, 'criteria') ?? '').split(/(?<!\\):/)
  return {
    isVulnerable: match['vulnerable'] !== false,
    part,
    vendor,
    product,
    version: version.replaceAll(/\\(.)/g, '$1'),
    startIncluding: textIn(match, 'versionStartIncluding'),
    startExcluding: textIn(match, 'versionStartExcluding'),
    endIncluding: textIn(match, 'versionEndIncluding'),
    endExcluding: textIn(match, 'versionEndExcluding'),
    isDerived: match['derived'] === true,
    isUnmapped: match['unmapped'] === true,
    isInverted: match['inverted'] === true,
  }
}

export function coversAnyVersion(match: ServedMatch): boolean {
  return match.version === '*' && listLimits(match).length === 0
}

export function listLimits(match: ServedMatch): readonly string[] {
  const { startIncluding, startExcluding, endIncluding, endExcluding } = match
  return [startIncluding, startExcluding, endIncluding, endExcluding].filter((each) => each !== null)
}

function parseJson(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null
}
