import { type Command, Option } from 'commander'
import type { SearchFilters } from 'vis-sdk'
import { PARAMETER_HELP, PRICES, SORT_WORDS, searchCvesParameters } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import {
  createFilters,
  describeFilters,
  LIST_SELECTION,
  listOptions,
  PAGE_OPTIONS,
  readFilters,
  valueOption,
} from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { printCves } from './cve-list.ts'
import { SEARCH_VIEW, selectRow } from './cve-view.ts'
import { addEnrichment, FILTER_GROUP } from './filters.ts'
import { findView, toFilters } from './find-view.ts'

const MAX_PAGE_SIZE = searchCvesParameters.limit.maximum
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

export const SEARCH_FILTERS = [
  ...describeFilters({
    parameters: searchCvesParameters,
    help: PARAMETER_HELP.searchCves,
    noun: 'CVEs',
    group: FILTER_GROUP,
    without: ['sort', 'limit', 'after', 'fields', 'include'],
  }),
  ...createFilters(
    {
      sort: valueOption(
        'order',
        'Sort order (default: relevance with words, otherwise published_desc)',
        Object.keys(SORT_WORDS),
      ),
    },
    FILTER_GROUP,
  ),
]

const VIEW_OPTION = new Option(
  '--view <name>',
  'Run a saved search (visctl views); other filters are added to it',
).helpGroup(FILTER_GROUP)

export function createSearchCommand(context: Context): Command {
  return createCommand({
    name: 'search',
    summary: `Search CVEs by words and filters (${formatCredits(PRICES.searchCves)} per page of ${MAX_PAGE_SIZE})`,
    options: [VIEW_OPTION, ...listOptions(SEARCH_FILTERS), ...PAGE_OPTIONS, ...listOptions(LIST_SELECTION)],
    examples: [
      'visctl search log4j --severity critical,high',
      'visctl search --kev --epss-min 0.5 --sort epss_desc --limit 50',
      'visctl search --kev -- log4j -core',
      'visctl search --priority P0,P1 --sort priority_desc',
      'visctl search --purl pkg:npm/lodash@4.17.20 --priority P0,P1,P2',
      'visctl search --product-vendor fortinet --cwe CWE-787 --cvss-min 9',
      'visctl search --view new-in-kev --limit 20',
      'visctl search openssl --published-after 2024-01-01 --all --csv > openssl.csv',
    ],
  })
    .argument('[words...]', 'Words in the id, the description or a name; after --, a word after - is excluded')
    .action(async (words: readonly string[], values: OptionValues) => {
      const given = readSearchFilters(words, values)
      const { view } = values
      const client = typeof view === 'string' ? await context.connect(values) : undefined
      // Filters on the command line replace those of the view.
      const saved = client ? toFilters(await findView(client, String(view))) : {}
      await printCves(client ? { ...context, connect: async () => client } : context, values, {
        filters: addEnrichment({ ...saved, ...given }),
        maxPageSize: MAX_PAGE_SIZE,
        listRecords: (client, filters) => client.search(filters),
        listRows: (client, filters) => client.search(selectRow(filters)),
        view: SEARCH_VIEW,
      })
    })
}

function readSearchFilters(words: readonly string[], values: OptionValues): SearchFilters {
  if (words.length > 0 && values['q'] !== undefined) {
    throw new UsageError('Words to search for are given both as an argument and with --q. Use one of the two.')
  }
  const given = readFilters<SearchFilters>([...SEARCH_FILTERS, ...LIST_SELECTION], values)
  const filters = { ...given, ...(words.length > 0 ? { q: words.join(' ') } : {}) }
  return { ...chooseSort(filters), ...filters }
}

/** Sorts a search for words by relevance. The service refuses this order if the text has no letter or digit. */
function chooseSort({ q }: SearchFilters): SearchFilters {
  return q !== undefined && LETTER_OR_DIGIT.test(q) ? { sort: 'relevance' } : {}
}
