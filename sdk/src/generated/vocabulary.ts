// Written by tools/generate/write-vocabulary.ts from openapi.json. Do not edit: run "npm run generate".

/** Credits for one 2xx response of each call. */
export const PRICES = {
  getCve: 5,
  getCveDetail: 5,
  listExploits: 2,
  listCveHistory: 2,
  getCveAsOf: 5,
  getAlias: 0.5,
  batchCves: 35,
  searchCves: 1,
  facetCves: 2,
  recentCves: 2,
  suggest: 0,
  listFilters: 0,
  match: 10,
  scanSbom: 35,
  prioritize: 10,
  getPolicy: 0,
  listChanges: 1,
  summarizeChanges: 0.5,
  listChangedRecords: 10,
  listSnapshots: 0,
  getSnapshotPart: 5,
  listKev: 1,
  getEpssSeries: 2,
  listEpssMovers: 1,
  listKevHistory: 1,
  getUsage: 0,
  getUsageBreakdown: 0,
  listKeys: 0,
  createKey: 0,
  rotateKey: 0,
  revokeKey: 0,
  listOrigins: 0,
  addOrigin: 0,
  removeOrigin: 0,
  listAudit: 0,
  listMembers: 0,
  inviteMember: 0,
  changeMemberRole: 0,
  removeMember: 0,
  getStats: 0.5,
  getStatsSeries: 1,
  getStatsTop: 1,
  health: 0,
  ping: 0,
  pingLite: 0,
} as const

/** Why silence about a component proves nothing, for each word of coverage_gap. */
export const COVERAGE_GAPS = {
  no_source: 'The service has no source for this type of package or this distribution.',
  unknown_release: 'The component states no release of its distribution, or one that the sources do not assess. For a package of a distribution, send the qualifier distro.',
  no_data: 'A source that judges the component has not been loaded.',
  guessed_name: 'The component has neither a purl nor a cpe, so sources may know it under another name.',
  unknown_product: 'No source that judges products names this one; sources may know it under another name.',
  unknown_source_package: 'The sources name source packages, and the component does not state the one from which it was built.',
  incomplete: 'A source that judges the component does not hold all records of upstream\'s index.',
  stale: 'The data of a source that judges the component is older than its maximum age.',
} as const

export const INCLUDE_WORDS = {
  acsc: 'acsc',
  enrichment: 'enrichment',
  attack: 'attack',
  configurations: 'configurations',
  sources: 'sources',
  exploits: 'exploits',
  priority: 'priority',
  fixes: 'fixes',
  remediations: 'remediations',
  aliases: 'aliases',
} as const

export const VENDOR_WORDS = {
  nvd: 'NVD',
  cve: 'CVE List',
  ghsa: 'GitHub advisories',
  redhat: 'Red Hat',
  msrc: 'Microsoft',
  'csaf-cisco': 'Cisco',
  'csaf-paloalto': 'Palo Alto Networks',
  'csaf-cisa': 'CISA advisory',
  'csaf-suse': 'SUSE',
  'csaf-siemens': 'Siemens',
  'csaf-schneider': 'Schneider Electric',
  'csaf-certvde': 'CERT@VDE',
  'csaf-fortinet': 'Fortinet',
  'csaf-microsoft': 'Microsoft CSAF',
  'csaf-oracle': 'Oracle',
  'csaf-bsi': 'BSI',
  'csaf-intel': 'Intel',
  'csaf-abb': 'ABB',
  'csaf-bosch': 'Bosch',
  'csaf-sick': 'SICK',
  'csaf-nozomi': 'Nozomi Networks',
  'csaf-ncscnl': 'NCSC-NL',
} as const

export const SEVERITY_WORDS = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
} as const

export const KEV_IN_WORDS = {
  cisa: 'CISA',
  eu: 'EU',
} as const

export const ATTACK_VECTOR_WORDS = {
  network: 'network',
  adjacent: 'adjacent network',
  local: 'local',
  physical: 'physical',
} as const

export const STATUS_WORDS = {
  Received: 'received',
  'Awaiting Analysis': 'awaiting analysis',
  'Undergoing Analysis': 'undergoing analysis',
  Analyzed: 'analyzed',
  Modified: 'modified',
  Deferred: 'deferred',
  Rejected: 'rejected',
} as const

export const PRIORITY_WORDS = {
  P0: 'act now',
  P1: 'this week',
  P2: 'this month',
  unrated: 'not rated yet',
  P3: 'next cycle',
  P4: 'routine',
} as const

export const SCORE_VERSION_WORDS = {
  '2': 'CVSS 2',
  '3': 'CVSS 3',
  '4': 'CVSS 4',
} as const

export const EXPLOIT_MATURITY_WORDS = {
  ransomware: 'used by ransomware',
  active: 'exploited',
  weaponized: 'weaponized',
  functional: 'functional exploit',
  poc: 'proof of concept',
  none: 'no exploit known',
} as const

export const SSVC_EXPLOITATION_WORDS = {
  none: 'none known',
  poc: 'proof of concept',
  active: 'active',
} as const

export const SSVC_AUTOMATABLE_WORDS = {
  no: 'no',
  yes: 'yes',
} as const

export const SSVC_IMPACT_WORDS = {
  partial: 'partial',
  total: 'total control',
} as const

export const DISAGREE_WORDS = {
  score: 'severity',
  affected: 'affected products',
  rejected: 'rejection',
  kev_ssvc: 'KEV and SSVC',
} as const

export const SORT_WORDS = {
  priority_desc: 'most urgent first',
  priority_asc: 'least urgent first',
  published_desc: 'newest first',
  published_asc: 'oldest first',
  modified_desc: 'recently modified first',
  modified_asc: 'least recently modified first',
  severity_desc: 'highest score first',
  severity_asc: 'lowest score first',
  epss_desc: 'highest EPSS first',
  epss_asc: 'lowest EPSS first',
  relevance: 'most relevant first',
} as const

export const SEARCH_CVES_INCLUDE_WORDS = {
  acsc: 'acsc',
  enrichment: 'enrichment',
  attack: 'attack',
  priority: 'priority',
  fixes: 'fixes',
  aliases: 'aliases',
} as const

export const RECENT_CVES_INCLUDE_WORDS = {
  acsc: 'acsc',
  enrichment: 'enrichment',
  attack: 'attack',
  priority: 'priority',
  fixes: 'fixes',
  aliases: 'aliases',
  events: 'events',
} as const

export const TYPES_WORDS = {
  loaded: 'first load complete',
  published: 'new in the catalog',
  removed: 'removed from the catalog',
  rejected: 'rejected',
  unrejected: 'rejection withdrawn',
  kev_added: 'added to KEV',
  kev_removed: 'removed from KEV',
  kev_updated: 'KEV entry changed',
  eu_kev_added: 'added to EU KEV',
  eu_kev_removed: 'removed from EU KEV',
  ransomware_added: 'ransomware known',
  priority_raised: 'priority raised',
  priority_lowered: 'priority lowered',
  exploit_added: 'first public exploit',
  maturity_raised: 'exploit more mature',
  became_urgent: 'became urgent',
  epss_jump: 'EPSS jump',
  severity_band_changed: 'severity changed',
  score_changed: 'score changed',
  patch_added: 'fix named',
  notice_added: 'notice published',
  affected_changed: 'affected products changed',
  cwe_changed: 'weaknesses changed',
  status_changed: 'status changed',
  epss_model_changed: 'new EPSS model',
  epss_released: 'new EPSS scores',
  rules_changed: 'new rules of the service',
  updated: 'record updated',
} as const

export const getCveParameters = {
  fields: { type: 'word', isList: true, words: { cve_id: 'cve_id', source_tag: 'source_tag', published: 'published', modified: 'modified', description: 'description', severity: 'severity', status: 'status', tags: 'tags', enrichment_status: 'enrichment_status', cvss: 'cvss', cpe: 'cpe', references: 'references', kev: 'kev', epss: 'epss', acsc: 'acsc', attack: 'attack', enrichment: 'enrichment', configurations: 'configurations', sources: 'sources', exploits: 'exploits', priority: 'priority', fixes: 'fixes', remediations: 'remediations', aliases: 'aliases' } },
  include: { type: 'word', isList: true, words: INCLUDE_WORDS },
} as const

export const getCveDetailParameters = {
  vendor: { type: 'word', words: VENDOR_WORDS },
} as const

export const listExploitsParameters = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '50' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const listCveHistoryParameters = {
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '100' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const batchCvesParameters = {
  sort: { type: 'word', words: { severity_desc: 'severity_desc', severity_asc: 'severity_asc', published_desc: 'published_desc', published_asc: 'published_asc', modified_desc: 'modified_desc', modified_asc: 'modified_asc', epss_desc: 'epss_desc', epss_asc: 'epss_asc', priority_desc: 'priority_desc', priority_asc: 'priority_asc' } },
  severity: { type: 'word', isList: true, words: SEVERITY_WORDS },
} as const

export const searchCvesParameters = {
  q: { label: 'words', type: 'text', maxLength: 256 },
  ids: { label: 'ids', type: 'text', isList: true, maxItems: 50, pattern: '^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$' },
  severity: { label: 'severity', type: 'word', isList: true, words: SEVERITY_WORDS },
  severity_min: { label: 'severity from', type: 'number', minimum: 0, maximum: 10 },
  severity_max: { label: 'severity up to', type: 'number', minimum: 0, maximum: 10 },
  exploit: { label: 'KEV or public exploit', type: 'flag', words: { true: 'in KEV or with a public exploit', false: 'neither in KEV nor with a public exploit' } },
  exploitable: { label: 'public exploit', type: 'flag', words: { true: 'with a public exploit', false: 'without a public exploit' } },
  kev: { label: 'in the KEV catalog', type: 'flag', words: { true: 'in KEV', false: 'not in KEV' } },
  kev_in: { label: 'KEV catalog of', type: 'word', isList: true, words: KEV_IN_WORDS },
  has_acsc: { label: 'ACSC notice', type: 'flag', words: { true: 'with an ACSC notice', false: 'without an ACSC notice' } },
  has_references: { label: 'references', type: 'flag', words: { true: 'with references', false: 'without references' } },
  epss_min: { label: 'EPSS at least', type: 'number', minimum: 0, maximum: 1 },
  epss_max: { label: 'EPSS at most', type: 'number', minimum: 0, maximum: 1 },
  cvss_min: { label: 'CVSS at least', type: 'number', minimum: 0, maximum: 10 },
  cpe_count_min: { label: 'CPE matches at least', type: 'integer', minimum: 1 },
  published_after: { label: 'published from', type: 'moment' },
  published_before: { label: 'published until', type: 'moment' },
  modified_after: { label: 'modified from', type: 'moment' },
  modified_before: { label: 'modified until', type: 'moment' },
  vendor: { label: 'record in', type: 'word', needs: 'include=enrichment', words: VENDOR_WORDS },
  attack_vector: { label: 'attack vector', type: 'word', needs: 'include=enrichment', words: ATTACK_VECTOR_WORDS },
  patched: { label: 'fix named', type: 'flag', needs: 'include=enrichment', words: { true: 'with a named fix', false: 'without a named fix' } },
  status: { label: 'status', type: 'word', isList: true, words: STATUS_WORDS },
  priority: { label: 'priority', type: 'word', isList: true, words: PRIORITY_WORDS },
  cwe: { label: 'weakness', type: 'text', isList: true, maxItems: 20, pattern: '^[Cc][Ww][Ee]-[1-9][0-9]{0,5}$' },
  technique: { label: 'technique', type: 'text', isList: true, maxItems: 20, pattern: '^[Tt][0-9]{4}(\\.[0-9]{3})?$' },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  product: { label: 'product', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  assigner: { label: 'assigned by', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  has_fix: { label: 'fixed version', type: 'flag', words: { true: 'with a named fixed version', false: 'without a named fixed version' } },
  has_cvss: { label: 'CVSS score', type: 'flag', words: { true: 'with a CVSS score', false: 'without a CVSS score' } },
  has_epss: { label: 'EPSS score', type: 'flag', words: { true: 'with an EPSS score', false: 'without an EPSS score' } },
  score_version: { label: 'score by', type: 'word', isList: true, words: SCORE_VERSION_WORDS },
  epss_percentile_min: { label: 'EPSS percentile at least', type: 'number', minimum: 0, maximum: 1 },
  ransomware: { label: 'ransomware', type: 'flag', words: { true: 'known to be used by ransomware', false: 'not known to be used by ransomware' } },
  kev_added_after: { label: 'in KEV from', type: 'day' },
  kev_added_before: { label: 'in KEV until', type: 'day' },
  exploit_maturity: { label: 'exploits', type: 'word', isList: true, words: EXPLOIT_MATURITY_WORDS },
  evidence_min: { label: 'exploit evidence at least', type: 'integer', minimum: 1 },
  ssvc_exploitation: { label: 'SSVC exploitation', type: 'word', isList: true, words: SSVC_EXPLOITATION_WORDS },
  ssvc_automatable: { label: 'SSVC automatable', type: 'word', isList: true, words: SSVC_AUTOMATABLE_WORDS },
  ssvc_impact: { label: 'SSVC technical impact', type: 'word', isList: true, words: SSVC_IMPACT_WORDS },
  score_disagreement: { label: 'disagreement about severity', type: 'flag', words: { true: 'with disagreement about the severity', false: 'without disagreement about the severity' } },
  disagree: { label: 'sources disagree about', type: 'word', isList: true, words: DISAGREE_WORDS },
  cpe: { label: 'affects', type: 'text', maxLength: 512 },
  purl: { label: 'affects', type: 'text', maxLength: 512 },
  sort: { type: 'word', default: 'published_desc', words: SORT_WORDS },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: '20' },
  after: { type: 'text', maxLength: 1024 },
  fields: { type: 'word', isList: true, words: { cve_id: 'cve_id', source_tag: 'source_tag', published: 'published', modified: 'modified', description: 'description', severity: 'severity', status: 'status', tags: 'tags', enrichment_status: 'enrichment_status', cvss: 'cvss', cpe: 'cpe', references: 'references', kev: 'kev', epss: 'epss', acsc: 'acsc', attack: 'attack', enrichment: 'enrichment', priority: 'priority', fixes: 'fixes', aliases: 'aliases' } },
  include: { type: 'word', isList: true, words: SEARCH_CVES_INCLUDE_WORDS },
} as const

export const facetCvesParameters = {
  facets: { type: 'word', isList: true, maxItems: 5, words: { severity: 'severity', status: 'status', cwe: 'cwe', assigner: 'assigner', product_vendor: 'product_vendor', product: 'product', priority: 'priority', exploit_maturity: 'exploit_maturity', attack_vector: 'attack_vector', year: 'year', technique: 'technique', kev: 'kev', source: 'source' } },
  facet_size: { type: 'integer', minimum: 1, maximum: 50, default: '10' },
  q: { label: 'words', type: 'text', maxLength: 256 },
  ids: { label: 'ids', type: 'text', isList: true, maxItems: 50, pattern: '^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$' },
  severity: { label: 'severity', type: 'word', isList: true, words: SEVERITY_WORDS },
  severity_min: { label: 'severity from', type: 'number', minimum: 0, maximum: 10 },
  severity_max: { label: 'severity up to', type: 'number', minimum: 0, maximum: 10 },
  exploit: { label: 'KEV or public exploit', type: 'flag', words: { true: 'in KEV or with a public exploit', false: 'neither in KEV nor with a public exploit' } },
  exploitable: { label: 'public exploit', type: 'flag', words: { true: 'with a public exploit', false: 'without a public exploit' } },
  kev: { label: 'in the KEV catalog', type: 'flag', words: { true: 'in KEV', false: 'not in KEV' } },
  kev_in: { label: 'KEV catalog of', type: 'word', isList: true, words: KEV_IN_WORDS },
  has_acsc: { label: 'ACSC notice', type: 'flag', words: { true: 'with an ACSC notice', false: 'without an ACSC notice' } },
  has_references: { label: 'references', type: 'flag', words: { true: 'with references', false: 'without references' } },
  epss_min: { label: 'EPSS at least', type: 'number', minimum: 0, maximum: 1 },
  epss_max: { label: 'EPSS at most', type: 'number', minimum: 0, maximum: 1 },
  cvss_min: { label: 'CVSS at least', type: 'number', minimum: 0, maximum: 10 },
  cpe_count_min: { label: 'CPE matches at least', type: 'integer', minimum: 1 },
  published_after: { label: 'published from', type: 'moment' },
  published_before: { label: 'published until', type: 'moment' },
  modified_after: { label: 'modified from', type: 'moment' },
  modified_before: { label: 'modified until', type: 'moment' },
  vendor: { label: 'record in', type: 'word', needs: 'include=enrichment', words: VENDOR_WORDS },
  attack_vector: { label: 'attack vector', type: 'word', needs: 'include=enrichment', words: ATTACK_VECTOR_WORDS },
  patched: { label: 'fix named', type: 'flag', needs: 'include=enrichment', words: { true: 'with a named fix', false: 'without a named fix' } },
  status: { label: 'status', type: 'word', isList: true, words: STATUS_WORDS },
  priority: { label: 'priority', type: 'word', isList: true, words: PRIORITY_WORDS },
  cwe: { label: 'weakness', type: 'text', isList: true, maxItems: 20, pattern: '^[Cc][Ww][Ee]-[1-9][0-9]{0,5}$' },
  technique: { label: 'technique', type: 'text', isList: true, maxItems: 20, pattern: '^[Tt][0-9]{4}(\\.[0-9]{3})?$' },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  product: { label: 'product', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  assigner: { label: 'assigned by', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  has_fix: { label: 'fixed version', type: 'flag', words: { true: 'with a named fixed version', false: 'without a named fixed version' } },
  has_cvss: { label: 'CVSS score', type: 'flag', words: { true: 'with a CVSS score', false: 'without a CVSS score' } },
  has_epss: { label: 'EPSS score', type: 'flag', words: { true: 'with an EPSS score', false: 'without an EPSS score' } },
  score_version: { label: 'score by', type: 'word', isList: true, words: SCORE_VERSION_WORDS },
  epss_percentile_min: { label: 'EPSS percentile at least', type: 'number', minimum: 0, maximum: 1 },
  ransomware: { label: 'ransomware', type: 'flag', words: { true: 'known to be used by ransomware', false: 'not known to be used by ransomware' } },
  kev_added_after: { label: 'in KEV from', type: 'day' },
  kev_added_before: { label: 'in KEV until', type: 'day' },
  exploit_maturity: { label: 'exploits', type: 'word', isList: true, words: EXPLOIT_MATURITY_WORDS },
  evidence_min: { label: 'exploit evidence at least', type: 'integer', minimum: 1 },
  ssvc_exploitation: { label: 'SSVC exploitation', type: 'word', isList: true, words: SSVC_EXPLOITATION_WORDS },
  ssvc_automatable: { label: 'SSVC automatable', type: 'word', isList: true, words: SSVC_AUTOMATABLE_WORDS },
  ssvc_impact: { label: 'SSVC technical impact', type: 'word', isList: true, words: SSVC_IMPACT_WORDS },
  score_disagreement: { label: 'disagreement about severity', type: 'flag', words: { true: 'with disagreement about the severity', false: 'without disagreement about the severity' } },
  disagree: { label: 'sources disagree about', type: 'word', isList: true, words: DISAGREE_WORDS },
  cpe: { label: 'affects', type: 'text', maxLength: 512 },
  purl: { label: 'affects', type: 'text', maxLength: 512 },
} as const

export const recentCvesParameters = {
  hours: { type: 'integer', minimum: 1, maximum: 168, default: '24' },
  days: { type: 'integer', minimum: 0, maximum: 30, default: '0' },
  type: { type: 'word', default: 'both', words: { published: 'published', modified: 'modified', both: 'both' } },
  severity: { label: 'severity', type: 'word', isList: true, words: SEVERITY_WORDS },
  kev_in: { label: 'KEV catalog of', type: 'word', isList: true, words: KEV_IN_WORDS },
  has_acsc: { label: 'ACSC notice', type: 'flag', words: { true: 'with an ACSC notice', false: 'without an ACSC notice' } },
  status: { label: 'status', type: 'word', isList: true, words: STATUS_WORDS },
  priority: { label: 'priority', type: 'word', isList: true, words: PRIORITY_WORDS },
  cwe: { label: 'weakness', type: 'text', isList: true, maxItems: 20, pattern: '^[Cc][Ww][Ee]-[1-9][0-9]{0,5}$' },
  technique: { label: 'technique', type: 'text', isList: true, maxItems: 20, pattern: '^[Tt][0-9]{4}(\\.[0-9]{3})?$' },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  product: { label: 'product', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  assigner: { label: 'assigned by', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  has_fix: { label: 'fixed version', type: 'flag', words: { true: 'with a named fixed version', false: 'without a named fixed version' } },
  has_cvss: { label: 'CVSS score', type: 'flag', words: { true: 'with a CVSS score', false: 'without a CVSS score' } },
  has_epss: { label: 'EPSS score', type: 'flag', words: { true: 'with an EPSS score', false: 'without an EPSS score' } },
  score_version: { label: 'score by', type: 'word', isList: true, words: SCORE_VERSION_WORDS },
  epss_percentile_min: { label: 'EPSS percentile at least', type: 'number', minimum: 0, maximum: 1 },
  ransomware: { label: 'ransomware', type: 'flag', words: { true: 'known to be used by ransomware', false: 'not known to be used by ransomware' } },
  kev_added_after: { label: 'in KEV from', type: 'day' },
  kev_added_before: { label: 'in KEV until', type: 'day' },
  exploit_maturity: { label: 'exploits', type: 'word', isList: true, words: EXPLOIT_MATURITY_WORDS },
  evidence_min: { label: 'exploit evidence at least', type: 'integer', minimum: 1 },
  ssvc_exploitation: { label: 'SSVC exploitation', type: 'word', isList: true, words: SSVC_EXPLOITATION_WORDS },
  ssvc_automatable: { label: 'SSVC automatable', type: 'word', isList: true, words: SSVC_AUTOMATABLE_WORDS },
  ssvc_impact: { label: 'SSVC technical impact', type: 'word', isList: true, words: SSVC_IMPACT_WORDS },
  score_disagreement: { label: 'disagreement about severity', type: 'flag', words: { true: 'with disagreement about the severity', false: 'without disagreement about the severity' } },
  disagree: { label: 'sources disagree about', type: 'word', isList: true, words: DISAGREE_WORDS },
  cpe: { label: 'affects', type: 'text', maxLength: 512 },
  purl: { label: 'affects', type: 'text', maxLength: 512 },
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '100' },
  after: { type: 'text', maxLength: 1024 },
  fields: { type: 'word', isList: true, words: { cve_id: 'cve_id', source_tag: 'source_tag', published: 'published', modified: 'modified', description: 'description', severity: 'severity', status: 'status', tags: 'tags', enrichment_status: 'enrichment_status', cvss: 'cvss', cpe: 'cpe', references: 'references', kev: 'kev', epss: 'epss', acsc: 'acsc', attack: 'attack', enrichment: 'enrichment', priority: 'priority', fixes: 'fixes', aliases: 'aliases', events: 'events' } },
  include: { type: 'word', isList: true, words: RECENT_CVES_INCLUDE_WORDS },
} as const

export const suggestParameters = {
  of: { type: 'word', words: { product: 'product', vendor: 'vendor', cwe: 'cwe', assigner: 'assigner', technique: 'technique' } },
  q: { type: 'text', maxLength: 64 },
  limit: { type: 'integer', minimum: 1, maximum: 20, default: '10' },
} as const

export const listFiltersParameters = {
  name: { type: 'text', isList: true, maxLength: 64 },
} as const

export const scanSbomParameters = {
  confidence_min: { type: 'word', default: 'medium', words: { high: 'high', medium: 'medium', low: 'low' } },
  priority_max: { type: 'word', default: 'P4', words: { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3', P4: 'P4' } },
  matches_per_component: { type: 'integer', minimum: 1, maximum: 500, default: '100' },
  same_host: { type: 'flag', default: 'true' },
  format: { type: 'word', default: 'json', words: { json: 'json', openvex: 'openvex', cyclonedx_vex: 'cyclonedx_vex' } },
  fail_on: { type: 'word', words: { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3', P4: 'P4' } },
  allow: { type: 'text', isList: true, maxItems: 50, pattern: '^(possibly|unrated|uncovered|unknown_version|unordered|skipped|empty)(:.{1,200})?$' },
  own: { type: 'text', isList: true, maxLength: 200, maxItems: 50 },
  max_data_age: { type: 'text', pattern: '^[0-9]{1,4}d$' },
} as const

export const getPolicyParameters = {
  version: { type: 'word', default: '2026-12', words: { '2026-11': '2026-11', '2026-12': '2026-12' } },
} as const

export const listChangesParameters = {
  since: { type: 'text', maxLength: 64, pattern: '^(start|now|\\d{1,18}:[0-9a-f]{16}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?)$' },
  types: { type: 'word', isList: true, words: TYPES_WORDS },
  min_level: { type: 'word', words: { P0: 'P0', P1: 'P1', P2: 'P2', P3: 'P3', P4: 'P4' } },
  severity: { label: 'severity', type: 'word', isList: true, words: SEVERITY_WORDS },
  kev: { label: 'in the KEV catalog', type: 'flag', words: { true: 'in KEV', false: 'not in KEV' } },
  priority: { label: 'priority', type: 'word', isList: true, words: PRIORITY_WORDS },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  product: { label: 'product', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  exploit_maturity: { label: 'exploits', type: 'word', isList: true, words: EXPLOIT_MATURITY_WORDS },
  cause: { type: 'word', default: 'data', words: { data: 'data', all: 'all' } },
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '100' },
  wait: { type: 'integer', minimum: 0, maximum: 25, default: '0' },
} as const

export const summarizeChangesParameters = {
  since: { type: 'text', maxLength: 64, pattern: '^(start|\\d{1,18}:[0-9a-f]{16}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?)$' },
  until: { type: 'text', maxLength: 64, pattern: '^(now|\\d{1,18}:[0-9a-f]{16})$' },
} as const

export const listChangedRecordsParameters = {
  since: { type: 'text', maxLength: 64, pattern: '^(start|now|\\d{1,18}:[0-9a-f]{16}|\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?)?)$' },
  limit: { type: 'integer', minimum: 1, maximum: 100, default: '100' },
} as const

export const listKevParameters = {
  vendor: { type: 'text', maxLength: 256 },
  product: { type: 'text', maxLength: 256 },
  ransomware: { type: 'flag', words: { true: 'known to be used by ransomware', false: 'not known to be used by ransomware' } },
  due_date_after: { type: 'day' },
  due_date_before: { type: 'day' },
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '50' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const getEpssSeriesParameters = {
  from: { type: 'day' },
  to: { type: 'day' },
} as const

export const listEpssMoversParameters = {
  days: { type: 'word', default: '7', words: { '1': '1', '7': '7', '30': '30' } },
  direction: { type: 'word', default: 'up', words: { up: 'up', down: 'down' } },
  min_delta: { type: 'number', minimum: 0, maximum: 1, default: '0' },
  min_ratio: { type: 'number', minimum: 1, maximum: 100000, default: '1' },
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '50' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const listKevHistoryParameters = {
  cve_id: { type: 'text', pattern: '^[Cc][Vv][Ee]-[0-9]{4}-[0-9]{4,19}$' },
  removed: { type: 'flag', words: { true: 'that CISA has removed', false: 'that are listed now' } },
  limit: { type: 'integer', minimum: 1, maximum: 500, default: '50' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const getUsageBreakdownParameters = {
  by: { type: 'word', isList: true, words: { day: 'day', endpoint: 'endpoint', key: 'key' } },
  from: { type: 'day' },
  to: { type: 'day' },
} as const

export const listAuditParameters = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: '50' },
  after: { type: 'text', maxLength: 1024 },
} as const

export const getStatsSeriesParameters = {
  metric: { type: 'word', words: { published: 'published', kev_added: 'kev_added', became_urgent: 'became_urgent', exploit_added: 'exploit_added', unrated: 'unrated' } },
  by: { type: 'word', words: { severity: 'severity', priority: 'priority', catalog: 'catalog', ransomware: 'ransomware' } },
  bucket: { type: 'word', default: 'day', words: { day: 'day', week: 'week', month: 'month' } },
  from: { type: 'day' },
  to: { type: 'day' },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
} as const

export const getStatsTopParameters = {
  of: { type: 'word', words: { vendor: 'vendor', product: 'product', cwe: 'cwe' } },
  metric: { type: 'word', words: { published: 'published', kev_added: 'kev_added', became_urgent: 'became_urgent', exploit_added: 'exploit_added' } },
  from: { type: 'day' },
  to: { type: 'day' },
  product_vendor: { label: 'vendor', type: 'text', isList: true, maxLength: 128, maxItems: 20 },
  limit: { type: 'integer', minimum: 1, maximum: 50, default: '10' },
} as const

/** One line of help for each query parameter. */
export const PARAMETER_HELP = {
  getCve: {
    fields: 'Return only these members, and the add-ons of include',
    include: 'Add-ons: acsc, enrichment, attack, configurations, sources, exploits, priority, fixes, remediations, aliases. (epss and kev are accepted and change nothing.)',
  },
  getCveDetail: {
    vendor: 'The data source',
  },
  listExploits: {
    limit: 'Maximum items of evidence per page',
    after: 'Cursor of the page',
  },
  listCveHistory: {
    limit: 'Maximum changes per page',
    after: 'Cursor of the page',
  },
  batchCves: {
    sort: 'Order of the members of cves',
    severity: 'Return only CVEs of these severity levels',
  },
  searchCves: {
    q: 'Words in the id, the description, the names of vendors and products, the name of the KEV entry, or a well-known name such as Log4Shell',
    ids: 'Return only these CVEs',
    severity: 'Severity is any of these levels',
    severity_min: 'Minimum base score',
    severity_max: 'Maximum base score',
    exploit: 'Whether the CVE is in the KEV catalog or has evidence of an exploit',
    exploitable: 'Whether the CVE has evidence of an exploit',
    kev: 'Whether the CVE is in the KEV catalog',
    kev_in: 'In any of these catalogs of known exploited vulnerabilities',
    has_acsc: 'Whether an ACSC notice names the CVE',
    has_references: 'Whether the CVE has references',
    epss_min: 'Minimum EPSS score',
    epss_max: 'Maximum EPSS score',
    cvss_min: 'Minimum base score',
    cpe_count_min: 'Minimum number of CPE matches',
    published_after: 'Published at or after this time',
    published_before: 'Published at or before this time',
    modified_after: 'Modified at or after this time',
    modified_before: 'Modified at or before this time',
    vendor: 'CVEs of which this data source has a record',
    attack_vector: 'CVSS attack vector',
    patched: 'Whether a source names a fix',
    status: 'NVD\'s status is any of these',
    priority: 'Priority level is any of these',
    cwe: 'Has any of these weaknesses, by the ids of CWE',
    technique: 'Has any of these ATT&CK techniques',
    product_vendor: 'A vulnerable product is of any of these vendors',
    product: 'A vulnerable product has any of these names',
    assigner: 'Short name of the organisation (CNA) that assigned the id is any of these, in any letter case',
    has_fix: 'Whether a source names a fixed version',
    has_cvss: 'Whether the CVE has a CVSS base score',
    has_epss: 'Whether the CVE has an EPSS score',
    score_version: 'CVSS version of the base score is any of these',
    epss_percentile_min: 'Minimum EPSS percentile',
    ransomware: 'Whether CISA\'s KEV catalog lists the CVE as used in ransomware campaigns',
    kev_added_after: 'Added to CISA\'s KEV catalog on or after this date',
    kev_added_before: 'Added to CISA\'s KEV catalog on or before this date',
    exploit_maturity: 'Maturity of exploits is any of these, as in include=exploits',
    evidence_min: 'Minimum number of pieces of evidence that the CVE is or can be exploited, as include=exploits counts them',
    ssvc_exploitation: 'State of exploitation in SSVC is any of these, as in include=priority',
    ssvc_automatable: 'Whether exploitation can be automated, in SSVC',
    ssvc_impact: 'Technical impact in SSVC is any of these',
    score_disagreement: 'Whether sources disagree about the severity',
    disagree: 'Sources disagree about any of these',
    cpe: 'CPE name of a product that you run',
    purl: 'Package URL of a package that you run',
    sort: 'Sort order',
    limit: 'Maximum CVEs per page',
    after: 'Cursor of the page',
    fields: 'Return only these members, and the add-ons of include',
    include: 'Add-ons: acsc, enrichment, attack, priority, fixes, aliases. (epss and kev are accepted and change nothing.)',
  },
  facetCves: {
    facets: 'Facets to count, at most 5',
    facet_size: 'Maximum number of values of each facet',
    q: 'Words in the id, the description, the names of vendors and products, the name of the KEV entry, or a well-known name such as Log4Shell',
    ids: 'Return only these CVEs',
    severity: 'Severity is any of these levels',
    severity_min: 'Minimum base score',
    severity_max: 'Maximum base score',
    exploit: 'Whether the CVE is in the KEV catalog or has evidence of an exploit',
    exploitable: 'Whether the CVE has evidence of an exploit',
    kev: 'Whether the CVE is in the KEV catalog',
    kev_in: 'In any of these catalogs of known exploited vulnerabilities',
    has_acsc: 'Whether an ACSC notice names the CVE',
    has_references: 'Whether the CVE has references',
    epss_min: 'Minimum EPSS score',
    epss_max: 'Maximum EPSS score',
    cvss_min: 'Minimum base score',
    cpe_count_min: 'Minimum number of CPE matches',
    published_after: 'Published at or after this time',
    published_before: 'Published at or before this time',
    modified_after: 'Modified at or after this time',
    modified_before: 'Modified at or before this time',
    vendor: 'CVEs of which this data source has a record',
    attack_vector: 'CVSS attack vector',
    patched: 'Whether a source names a fix',
    status: 'NVD\'s status is any of these',
    priority: 'Priority level is any of these',
    cwe: 'Has any of these weaknesses, by the ids of CWE',
    technique: 'Has any of these ATT&CK techniques',
    product_vendor: 'A vulnerable product is of any of these vendors',
    product: 'A vulnerable product has any of these names',
    assigner: 'Short name of the organisation (CNA) that assigned the id is any of these, in any letter case',
    has_fix: 'Whether a source names a fixed version',
    has_cvss: 'Whether the CVE has a CVSS base score',
    has_epss: 'Whether the CVE has an EPSS score',
    score_version: 'CVSS version of the base score is any of these',
    epss_percentile_min: 'Minimum EPSS percentile',
    ransomware: 'Whether CISA\'s KEV catalog lists the CVE as used in ransomware campaigns',
    kev_added_after: 'Added to CISA\'s KEV catalog on or after this date',
    kev_added_before: 'Added to CISA\'s KEV catalog on or before this date',
    exploit_maturity: 'Maturity of exploits is any of these, as in include=exploits',
    evidence_min: 'Minimum number of pieces of evidence that the CVE is or can be exploited, as include=exploits counts them',
    ssvc_exploitation: 'State of exploitation in SSVC is any of these, as in include=priority',
    ssvc_automatable: 'Whether exploitation can be automated, in SSVC',
    ssvc_impact: 'Technical impact in SSVC is any of these',
    score_disagreement: 'Whether sources disagree about the severity',
    disagree: 'Sources disagree about any of these',
    cpe: 'CPE name of a product that you run',
    purl: 'Package URL of a package that you run',
  },
  recentCves: {
    hours: 'Length of the period before now, in hours',
    days: 'Length of the period before now, in days',
    type: 'Whether publication, modification or both select a CVE',
    severity: 'Severity is any of these levels',
    kev_in: 'In any of these catalogs of known exploited vulnerabilities',
    has_acsc: 'Whether an ACSC notice names the CVE',
    status: 'NVD\'s status is any of these',
    priority: 'Priority level is any of these',
    cwe: 'Has any of these weaknesses, by the ids of CWE',
    technique: 'Has any of these ATT&CK techniques',
    product_vendor: 'A vulnerable product is of any of these vendors',
    product: 'A vulnerable product has any of these names',
    assigner: 'Short name of the organisation (CNA) that assigned the id is any of these, in any letter case',
    has_fix: 'Whether a source names a fixed version',
    has_cvss: 'Whether the CVE has a CVSS base score',
    has_epss: 'Whether the CVE has an EPSS score',
    score_version: 'CVSS version of the base score is any of these',
    epss_percentile_min: 'Minimum EPSS percentile',
    ransomware: 'Whether CISA\'s KEV catalog lists the CVE as used in ransomware campaigns',
    kev_added_after: 'Added to CISA\'s KEV catalog on or after this date',
    kev_added_before: 'Added to CISA\'s KEV catalog on or before this date',
    exploit_maturity: 'Maturity of exploits is any of these, as in include=exploits',
    evidence_min: 'Minimum number of pieces of evidence that the CVE is or can be exploited, as include=exploits counts them',
    ssvc_exploitation: 'State of exploitation in SSVC is any of these, as in include=priority',
    ssvc_automatable: 'Whether exploitation can be automated, in SSVC',
    ssvc_impact: 'Technical impact in SSVC is any of these',
    score_disagreement: 'Whether sources disagree about the severity',
    disagree: 'Sources disagree about any of these',
    cpe: 'CPE name of a product that you run',
    purl: 'Package URL of a package that you run',
    limit: 'Maximum CVEs per page',
    after: 'Cursor of the page',
    fields: 'Return only these members, and the add-ons of include',
    include: 'Add-ons: acsc, enrichment, attack, priority, fixes, aliases, events. (epss and kev are accepted and change nothing.)',
  },
  suggest: {
    of: 'Kind of the names',
    q: 'Beginning of a name, or a name with a typing mistake',
    limit: 'Maximum number of names',
  },
  listFilters: {
    name: 'Return only the parameters with these names',
  },
  scanSbom: {
    confidence_min: 'Minimum confidence of listed matches',
    priority_max: 'Least urgent level of listed matches',
    matches_per_component: 'Maximum number of listed matches of a component, most urgent first',
    same_host: 'Whether the components are on one machine',
    format: 'json lists the components',
    fail_on: 'Adds data.gate',
    allow: 'Reasons for an incomplete gate that you accept, for all components or for those that a pattern names',
    own: 'Patterns of your own packages, which no source covers',
    max_data_age: 'Maximum age of the data of every source, in days, instead of the maximum age that each source has',
  },
  getPolicy: {
    version: 'Version of the policy',
  },
  listChanges: {
    since: 'Where the list begins',
    types: 'Only changes of these types',
    min_level: 'Only changes of CVEs that have this priority level now, or a more urgent one',
    severity: 'Severity is any of these levels',
    kev: 'Whether the CVE is in the KEV catalog',
    priority: 'Priority level is any of these',
    product_vendor: 'A vulnerable product is of any of these vendors',
    product: 'A vulnerable product has any of these names',
    exploit_maturity: 'Maturity of exploits is any of these, as in include=exploits',
    cause: 'data: only changes of upstream data. all: also changes by new rules of the service and by its operators; whoever keeps a copy needs them',
    limit: 'Maximum number of changes',
    wait: 'Seconds to wait for a change if there is none',
  },
  summarizeChanges: {
    since: 'Changes after this position or time are counted',
    until: 'Changes up to this position are counted, its own included',
  },
  listChangedRecords: {
    since: 'Where the list begins',
    limit: 'Maximum number of records',
  },
  listKev: {
    vendor: 'Part of the vendor\'s name',
    product: 'Part of the product\'s name',
    ransomware: 'Whether the vulnerability is known to be used in ransomware campaigns',
    due_date_after: 'Due on or after this date',
    due_date_before: 'Due on or before this date',
    limit: 'Maximum entries per page',
    after: 'Cursor of the page',
  },
  getEpssSeries: {
    from: 'First day of the window',
    to: 'Last day of the window',
  },
  listEpssMovers: {
    days: 'Length of the window in days',
    direction: 'up: scores that rose. down: scores that fell',
    min_delta: 'Minimum difference between the newest score and the earlier one',
    min_ratio: 'Minimum ratio of the larger score to the smaller one',
    limit: 'Maximum CVEs per page',
    after: 'Cursor of the page',
  },
  listKevHistory: {
    cve_id: 'Only the entry of this CVE',
    removed: 'true: only entries that CISA has removed. false: only entries that are listed now. Default: both',
    limit: 'Maximum entries per page',
    after: 'Cursor of the page',
  },
  getUsageBreakdown: {
    by: 'What to break the usage down by',
    from: 'First day of the period (UTC)',
    to: 'Last day of the period (UTC)',
  },
  listAudit: {
    limit: 'Maximum number of changes',
    after: 'Cursor of the page',
  },
  getStatsSeries: {
    metric: 'What is counted',
    by: 'Divides each bucket into values',
    bucket: 'Length of a bucket in UTC',
    from: 'First day of the window, in UTC',
    to: 'Last day of the window, in UTC',
    product_vendor: 'A vulnerable product is of any of these vendors',
  },
  getStatsTop: {
    of: 'Kind of the names',
    metric: 'What is counted',
    from: 'First day of the window, in UTC',
    to: 'Last day of the window, in UTC',
    product_vendor: 'A vulnerable product is of any of these vendors',
    limit: 'Maximum number of names',
  },
} as const
