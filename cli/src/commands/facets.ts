import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Facet, FacetFilters, Facets } from 'vis-sdk'
import { facetCvesParameters, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import { JSON_OPTION, listOptions, OUTPUT_GROUP, readFilters } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { type Column, renderTable } from '../render/table.ts'
import { formatJson } from '../render/text.ts'
import { SEARCH_FILTERS } from './search.ts'

const FACETS = Object.keys(facetCvesParameters.facets.words)

const MAX_FACETS = facetCvesParameters.facets.maxItems
const MAX_SIZE = facetCvesParameters.facet_size.maximum

const SIZE_OPTION = new Option('--size <n>', `Maximum number of values of each facet, 1 to ${MAX_SIZE} (default: 10)`)
  .argParser(parseSize)
  .helpGroup(OUTPUT_GROUP)

/** The filters of a search except `sort`, because counts have no order. */
const FILTERS = SEARCH_FILTERS.filter(({ parameter }) => parameter !== 'sort')

interface Value {
  readonly facet: string
  /** Null for the CVEs without a value. */
  readonly value: string | null
  readonly count: number
}

const COLUMNS: readonly Column<Value>[] = [
  { title: 'FACET', text: ({ facet }) => facet },
  { title: 'CVES', align: 'right', text: ({ count }) => count.toLocaleString('en') },
  { title: 'VALUE', text: ({ value }) => value ?? '(none)', style: () => 'bold' },
]

export function createFacetsCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'facets',
    summary: `Count the values of a search, such as weaknesses or vendors (${formatCredits(PRICES.facetCves)})`,
    options: [...listOptions(FILTERS), SIZE_OPTION, JSON_OPTION],
    examples: [
      'visctl facets severity,cwe log4j',
      'visctl facets product_vendor,product --kev --size 20',
      'visctl facets year,attack_vector --severity critical --json',
    ],
  })
    .argument('<facets>', `Up to ${MAX_FACETS} facets, separated by commas: ${FACETS.join(', ')}`)
    .argument('[words...]', 'Words in the id or the description')
    .action(async (facets: string, words: readonly string[], values: OptionValues) => {
      const client = await connect(values)
      const counts = await client.facets(splitFacets(facets), readFacetFilters(words, values))
      if (values['json'] === true) return terminal.write(formatJson(counts))
      await terminal.write(renderTable(terminal, COLUMNS, listValues(counts)))
      terminal.printNote(describeTotal(counts))
    })
}

/** Does not check the names: the service does, and its error suggests the right name. */
function splitFacets(text: string): readonly Facet[] {
  // The cast is needed because the names come from the command line.
  return text.split(',').filter((name) => name !== '') as Facet[]
}

function readFacetFilters(words: readonly string[], values: OptionValues): FacetFilters {
  if (words.length > 0 && values['q'] !== undefined) {
    throw new UsageError('Words to search for are given both as an argument and with --q. Use one of the two.')
  }
  const { size } = values
  return {
    ...readFilters<FacetFilters>(
      // The cast is safe: every search filter except `sort` is also a facet filter.
      FILTERS as Parameters<typeof readFilters<FacetFilters>>[0],
      values,
    ),
    ...(words.length > 0 && { q: words.join(' ') }),
    // parseSize returns a number.
    ...(size !== undefined && { facet_size: size as number }),
  }
}

function listValues({ facets }: Facets): readonly Value[] {
  return Object.entries(facets).flatMap(([facet, values]) => (values ?? []).map((each) => ({ facet, ...each })))
}

const describeTotal = ({ total }: Facets): string => `${total.toLocaleString('en')} CVEs match.\n`

function parseSize(text: string): number {
  const size = Number(text)
  if (!/^\d{1,2}$/.test(text) || size < 1 || size > MAX_SIZE)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SIZE}.`)
  return size
}
