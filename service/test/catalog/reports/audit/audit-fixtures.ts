// Builds a served row and the source data of one CVE for the tests of the audit.
import type { SourceData } from '../../../../src/catalog/model/source-data.ts'
import type { AuditContext } from '../../../../src/catalog/reports/audit/check.ts'
import { readSourceFacts } from '../../../../src/catalog/reports/audit/source-facts.ts'
import { readServed, type Served } from '../../../../src/catalog/reports/served/served.ts'
import { sourceData } from '../../builders.ts'

/** Values of the columns of catalog.cve_document, before they are written as JSON text. */
type Columns = Readonly<Record<string, unknown>> & { readonly enrichment?: Readonly<Record<string, unknown>> }

const ENRICHMENT = { cvss_vector: null, cwe_list: [], exploit_flag: false, patch_available: false, cpe_source: null }

export function served(columns: Columns = {}, detailSources: readonly string[] = []): Served {
  const values: Columns = {
    source_tag: 'nvd',
    published: '2024-01-01T00:00:00Z',
    description: 'A malformed packet restarts the router.',
    severity: null,
    status: 'Analyzed',
    cvss: { v3_1: null },
    cpe: [],
    references: [{ url: 'https://example.org/advisory' }],
    techniques: [],
    ...columns,
    enrichment: { ...ENRICHMENT, ...columns.enrichment },
  }
  const texts = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const)
  return readServed({ ...Object.fromEntries(texts), cve_id: 'CVE-2026-4711', detail_sources: detailSources })
}

interface ContextOptions {
  readonly columns?: Columns
  readonly detailSources?: readonly string[]
  readonly records?: SourceData['records']
  readonly more?: Partial<SourceData>
  readonly nvdNames?: readonly string[]
}

export function auditContext(options: ContextOptions = {}): AuditContext {
  const { columns, detailSources, records = [], more, nvdNames = [] } = options
  return {
    served: served(columns, detailSources),
    facts: readSourceFacts(sourceData(records, more)),
    nvdNames: new Set(nvdNames),
  }
}

export function cpeMatch(name: string, members: Readonly<Record<string, unknown>> = {}) {
  const [part, vendor, product, version = '*'] = name.split(':')
  return { vulnerable: true, criteria: `cpe:2.3:${part}:${vendor}:${product}:${version}:*:*:*:*:*:*:*`, ...members }
}
