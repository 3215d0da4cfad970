import type { Command } from 'commander'
import type { Source } from 'vis-sdk'
import { PRICES, VENDOR_WORDS } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { createFilters, JSON_OPTION, listOptions, readFilters, valueOption } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { renderFullDetail, renderPartialDetail } from '../render/detail.ts'
import { formatJson } from '../render/text.ts'
import { FILTER_GROUP } from './filters.ts'

const FILTERS = createFilters(
  {
    vendor: valueOption(
      'source',
      'Source of the record (default: nvd, or cve if nvd has no full record)',
      Object.keys(VENDOR_WORDS),
    ),
  },
  FILTER_GROUP,
)

export function createDetailCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'detail',
    summary: `Show the full record that one source has of a CVE (${formatCredits(PRICES.getCveDetail)}, none if it has no record)`,
    options: [...listOptions(FILTERS), JSON_OPTION],
    examples: ['visctl detail CVE-2021-44228', 'visctl detail CVE-2021-44228 --vendor cve --json'],
  })
    .argument('<cve>', 'CVE id')
    .action(async (id: string, values: OptionValues) => {
      const client = await connect(values)
      const detail = await client.detail(id, readFilters<{ vendor?: Source }>(FILTERS, values))
      if (values['json'] === true) await terminal.write(formatJson(detail))
      else if (detail.kind === 'full') await terminal.write(renderFullDetail(terminal, detail.record))
      else await terminal.write(renderPartialDetail(terminal, detail))
    })
}
