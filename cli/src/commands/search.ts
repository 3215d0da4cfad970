import type { SearchFilters } from '@vis/sdk'
import { type Command, type Flag, type Invocation, UsageError } from '../command.ts'
import { LIST_FLAGS, SELECTION_FLAGS } from '../common-flags.ts'
import { filtersOf } from '../filters.ts'
import { pageSize, printJson, printRows } from '../print-list.ts'
import { FOUND_VIEW, ROW_FIELDS } from './cve-view.ts'
import { SEVERITY_FLAG, SORTS, SOURCES, STATUS_FLAG } from './filter-flags.ts'

const MAX_PAGE_SIZE = 100

/** Those that the service knows only from its enrichment: it wants to be told. */
const OF_ENRICHMENT = ['vendor', 'attack_vector', 'patched']

// A filter that the service gains, and that is not here, does not compile.
const FILTERS = {
  q: { kind: 'text', placeholder: 'WORDS', about: 'words of the id or the description; also without --q' },
  ids: { kind: 'list', placeholder: 'CVES', about: 'only these' },
  severity: SEVERITY_FLAG,
  severity_min: { kind: 'text', placeholder: 'SCORE', about: 'the least score' },
  severity_max: { kind: 'text', placeholder: 'SCORE', about: 'the highest score' },
  exploit: { kind: 'truth', about: 'in KEV, or with evidence of an exploit' },
  exploitable: { kind: 'truth', about: 'with evidence of an exploit' },
  kev: { kind: 'truth', about: 'in the KEV catalogue' },
  has_acsc: { kind: 'truth', about: 'with notices of the ACSC' },
  has_references: { kind: 'truth', about: 'with references' },
  epss_min: { kind: 'text', placeholder: 'SHARE', about: 'the least EPSS score, 0.0 to 1.0' },
  epss_max: { kind: 'text', placeholder: 'SHARE', about: 'the highest EPSS score' },
  cvss_min: { kind: 'text', placeholder: 'SCORE', about: 'the least CVSS score' },
  cpe_count_min: { kind: 'text', placeholder: 'N', about: 'the least number of affected products' },
  published_after: { kind: 'text', placeholder: 'DATE', about: 'published then or later' },
  published_before: { kind: 'text', placeholder: 'DATE', about: 'published then or earlier' },
  modified_after: { kind: 'text', placeholder: 'DATE', about: 'modified then or later' },
  modified_before: { kind: 'text', placeholder: 'DATE', about: 'modified then or earlier' },
  vendor: { kind: 'text', values: SOURCES, about: 'the source that must hold a record' },
  attack_vector: { kind: 'text', values: ['network', 'adjacent', 'local', 'physical'], about: 'exploited from where' },
  patched: { kind: 'truth', about: 'a fix is known' },
  status: STATUS_FLAG,
  sort: { kind: 'text', values: SORTS, about: 'the order; default published_desc' },
} satisfies Record<Exclude<keyof SearchFilters, 'limit' | 'after' | 'fields' | 'include'>, Flag>

export const search: Command = {
  name: 'search',
  summary: 'CVEs that pass all filters (1 credit a page of 100)',
  operands: { placeholder: '[WORDS …]', fewest: 0, most: 50 },
  flags: { ...FILTERS, ...LIST_FLAGS, ...SELECTION_FLAGS },
  examples: [
    'vis search log4j --severity critical,high',
    'vis search --kev --epss-min 0.5 --sort epss_desc --limit 50',
    'vis search openssl --published-after 2024-01-01 --all --csv > openssl.csv',
  ],
  run: async (invocation) => {
    const { values, client } = invocation
    const filters = { ...wantedOf(invocation), limit: pageSize(values, MAX_PAGE_SIZE) }
    const vis = await client()
    if (values['json'] === true) return printJson(vis.search(filters), invocation)
    if (values['fields'] ?? values['include']) throw new UsageError('--fields and --include shape --json only: add it.')
    return printRows(vis.search({ ...filters, fields: ROW_FIELDS }), FOUND_VIEW, invocation)
  },
}

function wantedOf({ operands, values }: Invocation): SearchFilters {
  if (operands.length > 0 && values['q'] !== undefined) {
    throw new UsageError('Words are given with --q or without, not both.')
  }
  const filters = filtersOf<SearchFilters>({ ...FILTERS, ...SELECTION_FLAGS }, values)
  const { include = [] } = filters
  const needsEnrichment = OF_ENRICHMENT.some((name) => values[name] !== undefined) && !include.includes('enrichment')
  return {
    ...filters,
    ...(operands.length > 0 ? { q: operands.join(' ') } : {}),
    ...(needsEnrichment ? { include: [...include, 'enrichment'] } : {}),
  }
}
