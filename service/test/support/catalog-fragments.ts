// Finished JSON of a CVE for tests, in the shapes of contract/.
import type { CveFacts } from './catalog.ts'

export interface KevWanted {
  readonly vendorProject?: string
  readonly product?: string
  readonly dateAdded?: string
  readonly dueDate?: string | null
  readonly knownRansomware?: boolean
  readonly notes?: string | null
}

export function renderParts(facts: CveFacts) {
  const { description, score, status, isEnriched, techniques } = facts
  return texts({
    source_tag: facts.sources.includes('nvd') ? 'nvd' : facts.sources.includes('cve') ? 'cve' : 'kev',
    published: facts.published,
    modified: facts.modified,
    description,
    severity: score,
    status,
    enrichment_status: isEnriched ? 'enriched' : 'pending',
    cvss: { v3_1: score === null ? null : cvss(score) },
    cpe: times(facts.cpeCount, (at) => ({ vulnerable: true, criteria: `cpe:2.3:a:maker:thing:${at}:*:*:*:*:*:*:*` })),
    references: times(facts.referenceCount, (at) => ({ url: `https://maker.example/${at}`, source: 'The maker' })),
    acsc: facts.notices.map((title) => ({ ...notice(title), publishedDate: '2026-08-02T00:00:00Z' })),
    acsc_notices: facts.notices.map((title) => ({ ...notice(title), published: '2026-08-02T00:00:00Z' })),
    techniques,
    enrichment: isEnriched ? enrichment(facts) : null,
  })
}

function cvss(baseScore: number) {
  return {
    version: '3.1',
    vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
    baseScore,
    baseSeverity: baseScore >= 9 ? 'CRITICAL' : baseScore >= 7 ? 'HIGH' : baseScore >= 4 ? 'MEDIUM' : 'LOW',
    attackVector: 'NETWORK',
    attackComplexity: 'LOW',
    privilegesRequired: 'NONE',
    userInteraction: 'NONE',
    scope: 'UNCHANGED',
    confidentialityImpact: 'HIGH',
    integrityImpact: 'NONE',
    availabilityImpact: 'NONE',
  }
}

function notice(title: string) {
  return { id: title.toLowerCase().replaceAll(' ', '-'), title, type: 'alert', priority: 'Critical' }
}

function enrichment(facts: CveFacts) {
  return {
    cvss_vector: facts.score === null ? null : cvss(facts.score).vectorString,
    cvss_source: facts.score === null ? null : 'nvd',
    cwe_list: ['CWE-79'],
    exploit_flag: facts.hasExploit,
    kev_flag: facts.kev !== undefined,
    attack_vector: facts.attackVector,
    patch_available: facts.hasPatch,
    cpe_count: facts.cpeCount,
    cpe_source: 'nvd',
    reference_count: facts.referenceCount,
    vendor_tags: facts.sources,
  }
}

export function renderKev(wanted: KevWanted, id: string) {
  const kev = {
    vendorProject: 'Maker',
    product: 'Thing',
    dateAdded: '2026-08-10',
    dueDate: '2026-08-31',
    knownRansomware: false,
    notes: '',
    ...wanted,
  }
  const { vendorProject, product, dateAdded, dueDate, knownRansomware, notes } = kev
  const said = { vulnerabilityName: 'A weakness of Thing', requiredAction: 'Apply updates.' }
  const summary = {
    dateAdded,
    knownRansomware,
    vendorProject,
    product,
    ...said,
    ...(dueDate === null ? {} : { dueDate }),
    ...(notes === null ? {} : { notes }),
  }
  const inBatch = { known_exploited: true, due_date: dueDate, action_required: said.requiredAction }
  const entry = { cveId: id, ...kev, ...said, shortDescription: 'Thing is weak.' }
  return { ...kev, ...texts({ summary, inBatch, inRecent: { ...inBatch, ...summary }, entry }) }
}

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function texts<const Name extends string>(values: Readonly<Record<Name, unknown>>): Record<Name, string> {
  const rendered = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)])
  // Earned: the names are those of the argument.
  return Object.fromEntries(rendered) as Record<Name, string>
}

/** A full detail record of a source, without its metadata; with a letter that is more bytes than characters. */
export function detailRecord(id: string, vendor: string) {
  const { vectorString, baseScore, baseSeverity } = cvss(10)
  return {
    cve_id: id,
    vendor,
    metrics: {
      cvss_v31: { version: '3.1', vectorString, baseScore, baseSeverity, exploitabilityScore: 3.9, impactScore: 6 },
      severity: 'CRITICAL',
      exploitability: { score: 1, evidence: ['Known to be exploited (CISA KEV, 2021-12-10).'] },
    },
    technical_details: {
      cwe: [{ id: 'CWE-79', name: 'Größe', description: null }],
      attack_vector: 'NETWORK',
      attack_complexity: 'LOW',
      privileges_required: 'NONE',
      user_interaction: 'NONE',
      scope: 'UNCHANGED',
      authentication: null,
    },
    affected_products: { cpe_configurations: [], total_cpe_count: 0, cpe_source: null, products: [] },
    references: {
      vendor_advisories: [],
      exploits: [],
      mitigations: [],
      technical_articles: [],
      total_reference_count: 0,
    },
  }
}
