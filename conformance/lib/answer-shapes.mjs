// Expected shapes of answers: pagination, batch, detail record, usage, stats, pings and health.

import { enrichmentSnapshot, severityLevel } from './cve-shapes.mjs'
import {
  and,
  bool,
  count,
  cveId,
  dateTime,
  fraction,
  list,
  number,
  object,
  oneOf,
  orNull,
  score,
  string,
  text,
  when,
} from './shape.mjs'

const MAX_LATENCY_MS = 60_000

export const pagination = and(
  object({ limit: count, hasMore: bool }, { nextCursor: text, totalEstimate: count }),
  when((value) => value.hasMore === 'nextCursor' in value, 'a page with nextCursor if and only if hasMore is true'),
)

export const batchAnswer = object({
  cves: object({}),
  not_found: list(cveId),
  count,
  total_requested: count,
  credits_charged: oneOf(35),
  enriched_percentage: number(0, 100),
  timestamp: dateTime,
})

const detailReference = object({ url: text, tags: list(string), source: orNull(string) }, { name: orNull(string) })
const subScore = orNull(number(0, 10))

const detailMetrics = object(
  {
    cvss_v31: orNull(
      object({
        version: text,
        vectorString: text,
        baseScore: score,
        baseSeverity: severityLevel,
        exploitabilityScore: subScore,
        impactScore: subScore,
      }),
    ),
    severity: orNull(severityLevel),
    exploitability: object({ score: oneOf(0, 0.5, 0.7, 0.9, 1), evidence: list(string) }),
  },
  { cvss_v2: object({ version: text, vectorString: text, baseScore: score }) },
)

const technicalDetails = object({
  cwe: list(object({ id: text, name: orNull(string), description: orNull(string) })),
  attack_vector: orNull(string),
  attack_complexity: orNull(string),
  privileges_required: orNull(string),
  user_interaction: orNull(string),
  scope: orNull(string),
  authentication: orNull(string),
})

const affectedProducts = object({
  cpe_configurations: list(
    object({
      vulnerable: bool,
      cpe23Uri: text,
      versionStartIncluding: orNull(string),
      versionEndExcluding: orNull(string),
      versionEndIncluding: orNull(string),
      versionStartExcluding: orNull(string),
    }),
  ),
  total_cpe_count: count,
})

const fix = object({
  vendor: string,
  product: string,
  package_url: orNull(text),
  branch: orNull(text),
  version: text,
  is_commit: bool,
  source: text,
  time: orNull(dateTime),
  rivals: list(object({ version: text, source: text, time: orNull(dateTime) })),
})

export const detailFull = object(
  {
    cve_id: cveId,
    vendor: text,
    metrics: detailMetrics,
    technical_details: technicalDetails,
    affected_products: affectedProducts,
    references: object({
      vendor_advisories: list(detailReference),
      exploits: list(detailReference),
      mitigations: list(detailReference),
      technical_articles: list(detailReference),
      total_reference_count: count,
    }),
    enrichment_metadata: object({
      created_at: orNull(dateTime),
      updated_at: orNull(dateTime),
      vendor_tags: list(string),
      data_completeness: oneOf('full', 'partial'),
      blob_size_bytes: count,
      enrichment_version: text,
    }),
  },
  { fixes: list(fix) },
)

export const detailPartial = object({
  status: oneOf('partial'),
  message: text,
  data: object({ cve_id: cveId, vendor: text, enrichment: orNull(enrichmentSnapshot) }),
})

export const usage = object(
  {
    plan: oneOf('free', 'pro', 'business', 'enterprise'),
    credits_limit: count,
    credits_used: count,
    credits_remaining: count,
    reset_at: dateTime,
    percentage_used: number(0, 100),
  },
  {},
  ['current', 'limit'],
)

export const stats = object({
  totalCves: count,
  cvesLast24Hours: count,
  cvesLast7Days: count,
  cvesLast30Days: count,
  totalKev: count,
  totalWithEpss: count,
  totalWithAcsc: count,
  averageEpssScore: orNull(fraction),
  lastUpdated: orNull(dateTime),
})

const healthStatus = oneOf('ok', 'degraded')
export const ping = object({
  status: healthStatus,
  timestamp: dateTime,
  database: object({ connected: bool, latency_ms: number(0, MAX_LATENCY_MS) }),
})
export const pingLite = object({ status: healthStatus, timestamp: dateTime }, {}, ['database'])

const dataset = object({
  table_count: count,
  state: oneOf('fresh', 'stale', 'partly_loaded', 'never_loaded', 'unknown'),
  last_success_at: orNull(dateTime),
  age_seconds: orNull(number(0, Number.POSITIVE_INFINITY)),
  upstream_at: orNull(dateTime),
  data_age_seconds: orNull(number(0, Number.POSITIVE_INFINITY)),
  last_run_at: orNull(dateTime),
  last_run_result: orNull(oneOf('succeeded', 'failed', 'refused', 'fenced', 'absent', 'stopped', 'abandoned')),
  rejected_count: count,
  stale: bool,
})
export const health = object({ status: healthStatus, datasets: object({ kev: dataset, epss: dataset, acsc: dataset }) })
