import { type Command, Option } from 'commander'
import type { Change } from 'vis-sdk'
import { listCveHistoryParameters, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { OUTPUT_GROUP, PAGE_OPTIONS } from '../options.ts'
import { choosePageSize, type ListView, printJsonList, printRows } from '../print-list.ts'
import { formatCredits } from '../render/credits.ts'
import { formatJson } from '../render/text.ts'
import { CHANGE_COLUMNS, describeDiff } from './changes.ts'

const MAX_PAGE_SIZE = listCveHistoryParameters.limit.maximum

const VIEW: ListView<Change> = {
  columns: CHANGE_COLUMNS.filter(({ title }) => title !== 'CVE'),
  csv: [
    { title: 'recorded_at', value: ({ recorded_at }) => recorded_at },
    { title: 'at', value: ({ at }) => at },
    { title: 'types', value: ({ types }) => types.join(' ') },
    { title: 'cause', value: ({ cause }) => cause },
    { title: 'fields', value: ({ fields }) => fields.join(' ') },
    { title: 'old_and_new', value: ({ diff }) => describeDiff(diff) },
  ],
}

const AS_OF_OPTION = new Option(
  '--as-of <date>',
  `Print the record as it was at the end of this day in UTC, as JSON (${formatCredits(PRICES.getCveAsOf)})`,
).helpGroup(OUTPUT_GROUP)

export function createHistoryCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'history',
    summary: `List the changes of a CVE, newest first (${formatCredits(PRICES.listCveHistory)} per page of ${MAX_PAGE_SIZE}), or show it as it was on a day`,
    options: [AS_OF_OPTION, ...PAGE_OPTIONS],
    examples: ['visctl history CVE-2021-44228', 'visctl history CVE-2021-44228 --as-of 2026-08-21'],
  })
    .argument('<cve>', 'CVE id')
    .action(async (id: string, values: OptionValues) => {
      const client = await connect(values)
      const day = values['asOf']
      if (typeof day === 'string') return terminal.write(formatJson(await client.cveAsOf(id, day)))
      const listing = client.cveHistory(id, { limit: choosePageSize(values, MAX_PAGE_SIZE) })
      return values['json'] === true
        ? printJsonList(listing, values, terminal)
        : printRows(listing, VIEW, values, terminal)
    })
}
