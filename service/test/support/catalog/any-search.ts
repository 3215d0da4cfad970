// Generator of random searches (a fast-check "arbitrary") that the endpoint /cves accepts.
import fc from 'fast-check'
import { SORTS } from '../../../src/search/sort.ts'
import type { Query } from './naive-search.ts'

const bool = fc.constantFrom('true', 'false')
const score = fc.integer({ min: 0, max: 100 }).map((tenths) => String(tenths / 10))
const share = fc.integer({ min: 0, max: 100 }).map((percent) => String(percent / 100))
const day = (from: string) =>
  fc
    .integer({ min: 0, max: 400 })
    .map((days) => new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10))
const some = (...choices: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...choices), { minLength: 1, maxLength: 3 }).map((list) => list.join(','))

const anyQuery = fc.record(
  {
    q: fc.constantFrom(
      'overflow',
      'kernels',
      '"kernel and code"',
      'mod_ssl',
      'zebra',
      'remote scr',
      '2003',
      'in',
      '.',
      'lo',
      '"in in in in"',
      '"and and"',
      '"and in" "in the"',
      '"code in"',
      '"kernel and" script in',
      'and in cve 2003 remote kernel code script overflow',
      'cve and in',
      'ker',
      '"kernels"',
    ),
    severity: some('critical', 'high', 'medium', 'low'),
    kev_in: some('cisa', 'eu'),
    severity_min: score,
    severity_max: score,
    exploit: bool,
    exploitable: bool,
    kev: bool,
    has_acsc: bool,
    has_references: bool,
    epss_min: share,
    epss_max: share,
    cvss_min: score,
    cpe_count_min: fc.integer({ min: 1, max: 200 }).map(String),
    published_after: day('2020-01-01'),
    published_before: day('2020-01-01'),
    modified_after: day('2022-01-01'),
    modified_before: day('2022-01-01'),
    vendor: fc.constantFrom('nvd', 'cve'),
    attack_vector: fc.constantFrom('network', 'N', 'local', 'P', 'adjacent'),
    patched: bool,
    status: some('Analyzed', 'Rejected', 'Deferred'),
    priority: some('P0', 'P1', 'P3', 'P4'),
    cwe: some('CWE-79', 'CWE-89', 'CWE-352', 'CWE-1'),
    technique: some('T1059', 'T1059.001', 'T1059.003', 'T1190', 'T1003'),
    product: some('product_0', 'product_1', 'product_4', 'product_9'),
    product_vendor: some('vendor_0', 'vendor_3', 'vendor_7', 'vendor_9'),
    assigner: some('maker', 'redhat', 'nobody'),
    has_fix: bool,
    has_cvss: bool,
    has_epss: bool,
    score_version: some('2', '3', '4'),
    epss_percentile_min: share,
    ransomware: bool,
    kev_added_after: day('2024-01-01'),
    kev_added_before: day('2024-01-01'),
    exploit_maturity: some('none', 'poc', 'active', 'ransomware'),
    evidence_min: fc.integer({ min: 1, max: 6 }).map(String),
    ssvc_exploitation: some('none', 'poc', 'active'),
    ssvc_automatable: some('yes', 'no'),
    ssvc_impact: some('partial', 'total'),
    score_disagreement: bool,
    disagree: some('score', 'affected', 'rejected', 'kev_ssvc'),
    sort: fc.constantFrom(...SORTS),
  },
  { requiredKeys: ['sort'] },
)

/** Generates at most three filters per search: with more, nearly every search would find no CVE. */
export const anySearch = fc
  .tuple(anyQuery, fc.array(fc.nat({ max: 1000 }), { minLength: 0, maxLength: 3 }))
  .map(([all, chosen]): Query => {
    const names = Object.keys(all).filter((name) => name !== 'sort')
    const kept = chosen.map((at) => names[at % names.length] ?? '')
    return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'sort' || kept.includes(name)))
  })
  .filter(hasOrderedBounds)

function hasOrderedBounds(query: Query): boolean {
  const pairs = [
    ['severity_min', 'severity_max'],
    ['epss_min', 'epss_max'],
    ['published_after', 'published_before'],
    ['modified_after', 'modified_before'],
    ['kev_added_after', 'kev_added_before'],
  ] as const
  return pairs.every(([low, high]) => {
    const [a, b] = [query[low], query[high]]
    return a === undefined || b === undefined || (low.endsWith('_min') ? Number(a) <= Number(b) : a <= b)
  })
}
