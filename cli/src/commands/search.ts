import type { Command } from 'commander'
import type { SearchFilters, Sort } from 'vis-sdk'
import { PRICES, searchCvesParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import {
  booleanOptions,
  createFilters,
  LIST_SELECTION,
  listMembers,
  listOption,
  listOptions,
  type OptionFactory,
  PAGE_OPTIONS,
  readFilters,
  valueOption,
} from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { printCves } from './cve-list.ts'
import { ROW_FIELDS, SEARCH_VIEW } from './cve-view.ts'
import { addEnrichment, FILTER_GROUP, SHARED_FILTERS, SOURCES } from './filters.ts'

const MAX_PAGE_SIZE = searchCvesParameters.limit.maximum
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

const SORTS = listMembers<Sort>({
  severity_desc: true,
  severity_asc: true,
  published_desc: true,
  published_asc: true,
  modified_desc: true,
  modified_asc: true,
  epss_desc: true,
  epss_asc: true,
  priority_desc: true,
  priority_asc: true,
  relevance: true,
})

// Filters of `visctl search`. The code does not compile if a filter that the service accepts is missing in this table.
export const SEARCH_FILTERS = createFilters(
  {
    q: valueOption('words', 'CVEs with these words in the id, the description or a name; same as the argument'),
    ids: listOption('cves', 'CVEs with these ids, separated by commas'),
    severity_min: valueOption('score', 'Older name of --cvss-min; both compare the same CVSS base score'),
    severity_max: valueOption('score', 'CVEs with at most this CVSS base score, 0.0 to 10.0'),
    exploit: booleanOptions(
      'CVEs in the KEV catalog or with public evidence of an exploit',
      'CVEs neither in the KEV catalog nor with public evidence of an exploit',
    ),
    exploitable: booleanOptions(
      'CVEs with public evidence of an exploit',
      'CVEs without public evidence of an exploit',
    ),
    kev: booleanOptions('CVEs in the KEV catalog', 'CVEs that are not in the KEV catalog'),
    has_references: booleanOptions('CVEs with references', 'CVEs without references'),
    epss_min: valueOption('score', 'CVEs with at least this EPSS score, 0.0 to 1.0'),
    epss_max: valueOption('score', 'CVEs with at most this EPSS score, 0.0 to 1.0'),
    cvss_min: valueOption('score', 'CVEs with at least this CVSS base score, 0.0 to 10.0'),
    cpe_count_min: valueOption('n', 'CVEs with at least this number of CPE matches'),
    published_after: valueOption('date', 'CVEs published at or after this time'),
    published_before: valueOption('date', 'CVEs published at or before this time'),
    modified_after: valueOption('date', 'CVEs modified at or after this time'),
    modified_before: valueOption('date', 'CVEs modified at or before this time'),
    vendor: valueOption('source', 'CVEs that this source has a record of', SOURCES),
    attack_vector: valueOption('vector', 'CVEs with this attack vector', ['network', 'adjacent', 'local', 'physical']),
    patched: booleanOptions('CVEs for which a source names a fix', 'CVEs for which no source names a fix'),
    ...SHARED_FILTERS,
    sort: valueOption('order', 'Sort order (default: relevance with words, otherwise published_desc)', SORTS),
  } satisfies Record<Exclude<keyof SearchFilters, 'limit' | 'after' | 'fields' | 'include'>, OptionFactory>,
  FILTER_GROUP,
)

export function createSearchCommand(context: Context): Command {
  return createCommand({
    name: 'search',
    summary: `Search CVEs by words and filters (${formatCredits(PRICES.searchCves)} per page of ${MAX_PAGE_SIZE})`,
    options: [...listOptions(SEARCH_FILTERS), ...PAGE_OPTIONS, ...listOptions(LIST_SELECTION)],
    examples: [
      'visctl search log4j --severity critical,high',
      'visctl search --kev --epss-min 0.5 --sort epss_desc --limit 50',
      'visctl search --kev -- log4j -core',
      'visctl search --priority P0,P1 --sort priority_desc',
      'visctl search --purl pkg:npm/lodash@4.17.20 --priority P0,P1,P2',
      'visctl search --product-vendor fortinet --cwe CWE-787 --cvss-min 9',
      'visctl search openssl --published-after 2024-01-01 --all --csv > openssl.csv',
    ],
  })
    .argument('[words...]', 'Words in the id, the description or a name; after --, a word after - is excluded')
    .action((words: readonly string[], values: OptionValues) =>
      printCves(context, values, {
        filters: readSearchFilters(words, values),
        maxPageSize: MAX_PAGE_SIZE,
        listRecords: (client, filters) => client.search(filters),
        listRows: (client, filters) => client.search({ ...filters, fields: ROW_FIELDS }),
        view: SEARCH_VIEW,
      }),
    )
}

function readSearchFilters(words: readonly string[], values: OptionValues): SearchFilters {
  if (words.length > 0 && values['q'] !== undefined) {
    throw new UsageError('Words to search for are given both as an argument and with --q. Use one of the two.')
  }
  const given = readFilters<SearchFilters>([...SEARCH_FILTERS, ...LIST_SELECTION], values)
  const filters = { ...given, ...(words.length > 0 ? { q: words.join(' ') } : {}) }
  return addEnrichment({ ...chooseSort(filters), ...filters })
}

/** Sorts a search for words by relevance. The service refuses this order for a text without a letter or digit. */
function chooseSort({ q }: SearchFilters): SearchFilters {
  return q !== undefined && LETTER_OR_DIGIT.test(q) ? { sort: 'relevance' } : {}
}
