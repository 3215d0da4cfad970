import type { Command } from 'commander'
import type { ExportFilters } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { listOptions, readFilters } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { cleanBlock } from '../render/text.ts'
import { SEARCH_FILTERS } from './search.ts'

export function createExportCommand({ connect, terminal }: Context): Command {
  return createCommand({
    name: 'export',
    summary: `Print all CVEs of a search as CSV, up to 100,000 (${formatCredits(PRICES.exportCves)} for each 100 CVEs)`,
    options: listOptions(SEARCH_FILTERS),
    examples: ['visctl export --kev --sort epss_desc > kev.csv', 'visctl export --priority P0,P1 > urgent.csv'],
  }).action(async (values: OptionValues) => {
    const client = await connect(values)
    const bytes = await client.exportCves(readFilters<ExportFilters>(SEARCH_FILTERS, values))
    await terminal.write(cleanCsv(new TextDecoder().decode(bytes)))
  })
}

/** Cleans what upstreams wrote as visctl search --csv does. Lines keep their ends, which RFC 4180 demands. */
const cleanCsv = (text: string) => text.split('\r\n').map(cleanBlock).join('\r\n')
