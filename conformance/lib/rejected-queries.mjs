// Queries that must return 400, by path: [decision and rule, query, parameter in the error, value in the error].

export const ENRICHED = { include: 'enrichment' }

const NO_PARAMETER = 'B6 the endpoint does not have this parameter'
const NO_PARAMETERS = 'B6 the endpoint has no parameters'
const UNKNOWN_BAND = 'B3 severity accepts severity bands only'
const UNKNOWN_ADD_ON = 'B3 include accepts the documented names only'
const UNKNOWN_FIELD = 'B3 fields accepts field names only'
const OUT_OF_RANGE = 'B9 a value out of range is never clamped'
const BOUNDS_CROSS = 'B3 a minimum above its maximum is an error of the minimum'
const DATES_CROSS = 'C9 an _after date may not be later than the _before date'
const DATES_ONLY = 'C9 due dates are dates without a time'
const NEEDS_ENRICHMENT = 'D4 the parameter requires include=enrichment'
const FORGED_CURSOR = 'D8 a cursor that the service did not create is invalid'
const UNKNOWN_WORD = 'D20 a further filter accepts the documented words only'
const NO_CWE = 'D20 a CWE id has the form CWE-79'
const NO_TECHNIQUE = 'D20 a technique has the form T1059.001'
const KEV_DATES = 'D20 days of KEV entries are dates without a time'
const CWES = Array.from({ length: 21 }, (_, at) => `CWE-${at + 1}`)
const EMPTY_ENUM = 'B8 an enum may not be empty'

export const REJECTED_QUERIES = {
  cves: [
    [UNKNOWN_BAND, { severity: 'urgent' }, 'severity', 'urgent'],
    ['B3 error.value is the invalid item of a list', { severity: 'high,urgent' }, 'severity', 'urgent'],
    ['C6 none is not a band', { severity: 'none' }, 'severity', 'none'],
    ['B3 sort accepts the documented orders only', { sort: 'published' }, 'sort', 'published'],
    ['B10 sort is case-sensitive', { sort: 'PUBLISHED_DESC' }, 'sort', 'PUBLISHED_DESC'],
    [EMPTY_ENUM, { sort: '' }, 'sort', ''],
    [OUT_OF_RANGE, { severity_min: '10.1' }, 'severity_min', '10.1'],
    [OUT_OF_RANGE, { severity_max: '11' }, 'severity_max', '11'],
    [OUT_OF_RANGE, { epss_min: '1.1' }, 'epss_min', '1.1'],
    [OUT_OF_RANGE, { epss_max: '2' }, 'epss_max', '2'],
    [OUT_OF_RANGE, { limit: '0' }, 'limit', '0'],
    [OUT_OF_RANGE, { limit: '101' }, 'limit', '101'],
    [UNKNOWN_ADD_ON, { include: 'weather' }, 'include', 'weather'],
    [UNKNOWN_ADD_ON, { include: 'acsc,weather' }, 'include', 'weather'],
    [UNKNOWN_FIELD, { fields: 'colour' }, 'fields', 'colour'],
    [UNKNOWN_FIELD, { fields: 'cve_id,colour' }, 'fields', 'colour'],
    ['D1 acsc_notices is an output key and no field name', { fields: 'acsc_notices' }, 'fields', 'acsc_notices'],
    [BOUNDS_CROSS, { severity_min: '8', severity_max: '7.9' }, 'severity_min', '8'],
    [BOUNDS_CROSS, { epss_min: '0.5', epss_max: '0.4' }, 'epss_min', '0.5'],
    [DATES_CROSS, { published_after: '2024-01-02', published_before: '2024-01-01' }, 'published_after', '2024-01-02'],
    [DATES_CROSS, { modified_after: '2024-01-02', modified_before: '2024-01-01' }, 'modified_after', '2024-01-02'],
    [OUT_OF_RANGE, { cvss_min: '10.5' }, 'cvss_min', '10.5'],
    [OUT_OF_RANGE, { cpe_count_min: '0' }, 'cpe_count_min', '0'],
    ['B9 cpe_count_min is an integer', { cpe_count_min: '1.5' }, 'cpe_count_min', '1.5'],
    [
      'B3 attack_vector accepts the documented values only',
      { ...ENRICHED, attack_vector: 'sideways' },
      'attack_vector',
      'sideways',
    ],
    [NEEDS_ENRICHMENT, { attack_vector: 'network' }, 'attack_vector', 'network'],
    [NEEDS_ENRICHMENT, { patched: 'true' }, 'patched', 'true'],
    [NEEDS_ENRICHMENT, { vendor: 'nvd' }, 'vendor', 'nvd'],
    ['D4 include=acsc does not replace include=enrichment', { patched: 'false', include: 'acsc' }, 'patched', 'false'],
    ['B3 status accepts the documented words only', { status: 'Unknown' }, 'status', 'Unknown'],
    ['B8 an empty list of ids is no filter', { ids: '' }, 'ids', ''],
    ['D6 every id in ids is validated', { ids: 'CVE-2021-44228,nonsense' }, 'ids', 'nonsense'],
    ['D5 q has at most 256 characters', { q: 'x'.repeat(257) }, 'q', 'x'.repeat(200)],
    [FORGED_CURSOR, { after: 'garbage' }, 'after', 'garbage'],
    [UNKNOWN_WORD, { priority: 'P9' }, 'priority', 'P9'],
    [UNKNOWN_WORD, { kev_in: 'cisa,enisa' }, 'kev_in', 'enisa'],
    [UNKNOWN_WORD, { exploit_maturity: 'high' }, 'exploit_maturity', 'high'],
    [UNKNOWN_WORD, { disagree: 'cvss' }, 'disagree', 'cvss'],
    [UNKNOWN_WORD, { ssvc_automatable: 'true' }, 'ssvc_automatable', 'true'],
    [UNKNOWN_WORD, { score_version: '3.1' }, 'score_version', '3.1'],
    [NO_CWE, { cwe: 'CWE-' }, 'cwe', 'CWE-'],
    [NO_CWE, { cwe: 'NVD-CWE-noinfo' }, 'cwe', 'NVD-CWE-noinfo'],
    ['D20 a list has at most 20 CWE ids', { cwe: CWES.join() }, 'cwe'],
    [NO_TECHNIQUE, { technique: '1059' }, 'technique', '1059'],
    [NO_TECHNIQUE, { technique: 'T1059.1' }, 'technique', 'T1059.1'],
    [OUT_OF_RANGE, { evidence_min: '0' }, 'evidence_min', '0'],
    [OUT_OF_RANGE, { epss_percentile_min: '95' }, 'epss_percentile_min', '95'],
    ['D20 a name has at most 128 characters', { product: 'x'.repeat(129) }, 'product', 'x'.repeat(129)],
    [DATES_CROSS, { kev_added_after: '2026-07-02', kev_added_before: '2026-07-01' }, 'kev_added_after', '2026-07-02'],
    [KEV_DATES, { kev_added_after: '2026-07-01T00:00:00Z' }, 'kev_added_after', '2026-07-01T00:00:00Z'],
  ],
  'cves/recent': [
    [OUT_OF_RANGE, { hours: '0' }, 'hours', '0'],
    [OUT_OF_RANGE, { hours: '169' }, 'hours', '169'],
    ['D10 hours is validated even if days is given', { hours: '169', days: '1' }, 'hours', '169'],
    [OUT_OF_RANGE, { days: '31' }, 'days', '31'],
    ['B3 type accepts the documented values only', { type: 'all' }, 'type', 'all'],
    [EMPTY_ENUM, { type: '' }, 'type', ''],
    [UNKNOWN_BAND, { severity: 'urgent' }, 'severity', 'urgent'],
    [OUT_OF_RANGE, { limit: '0' }, 'limit', '0'],
    [OUT_OF_RANGE, { limit: '501' }, 'limit', '501'],
    [UNKNOWN_FIELD, { fields: 'colour' }, 'fields', 'colour'],
    [UNKNOWN_ADD_ON, { include: 'weather' }, 'include', 'weather'],
    [FORGED_CURSOR, { after: 'garbage' }, 'after', 'garbage'],
    [NO_PARAMETER, { sort: 'published_desc' }, 'sort', 'published_desc'],
    [NO_PARAMETER, { q: 'linux' }, 'q', 'linux'],
  ],
  kev: [
    ['D14 a name has at most 256 characters', { product: 'x'.repeat(257) }, 'product', 'x'.repeat(200)],
    [OUT_OF_RANGE, { limit: '0' }, 'limit', '0'],
    [OUT_OF_RANGE, { limit: '501' }, 'limit', '501'],
    [DATES_ONLY, { due_date_after: '2024-01-01T00:00:00Z' }, 'due_date_after', '2024-01-01T00:00:00Z'],
    [DATES_ONLY, { due_date_before: '2024-01-01T00:00:00Z' }, 'due_date_before', '2024-01-01T00:00:00Z'],
    [DATES_CROSS, { due_date_after: '2024-01-02', due_date_before: '2024-01-01' }, 'due_date_after', '2024-01-02'],
    [FORGED_CURSOR, { after: 'garbage' }, 'after', 'garbage'],
    [NO_PARAMETER, { severity: 'high' }, 'severity', 'high'],
    [NO_PARAMETER, { fields: 'cveId' }, 'fields', 'cveId'],
  ],
  'cve/CVE-2021-44228': [
    ['D1 acsc_notices is an output key and no field name', { fields: 'acsc_notices' }, 'fields', 'acsc_notices'],
    [UNKNOWN_FIELD, { fields: 'colour' }, 'fields', 'colour'],
    [UNKNOWN_ADD_ON, { include: 'weather' }, 'include', 'weather'],
    [NO_PARAMETER, { vendor: 'nvd' }, 'vendor', 'nvd'],
    [NO_PARAMETER, { limit: '5' }, 'limit', '5'],
  ],
  'cve/CVE-2021-44228/detail': [
    [EMPTY_ENUM, { vendor: '' }, 'vendor', ''],
    [NO_PARAMETER, { fields: 'cve_id' }, 'fields', 'cve_id'],
    [NO_PARAMETER, { include: 'acsc' }, 'include', 'acsc'],
  ],
  stats: [[NO_PARAMETERS, { days: '5' }, 'days', '5']],
  usage: [[NO_PARAMETERS, { plan: 'pro' }, 'plan', 'pro']],
  ping: [[NO_PARAMETERS, { deep: 'true' }, 'deep', 'true']],
  'ping-lite': [[NO_PARAMETERS, { x: '1' }, 'x', '1']],
}
