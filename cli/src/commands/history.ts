import { type Command, Option } from 'commander'
import type { Change, EarlierEvent, HistoryPage, Listing } from 'vis-sdk'
import { listCveHistoryParameters, PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { OUTPUT_GROUP, PAGE_OPTIONS } from '../options.ts'
import { choosePageSize, type ListView, printJsonList, printRows } from '../print-list.ts'
import { formatCredits } from '../render/credits.ts'
import { type Column, renderTable } from '../render/table.ts'
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
      if (values['json'] === true) return printJsonList(addEarlier(listing), values, terminal)
      const earlier: EarlierEvent[] = []
      await printRows(noteEarlier(listing, earlier), VIEW, values, terminal)
      if (values['csv'] === true || earlier.length === 0) return
      terminal.printNote("Before that, according to upstreams' histories:\n")
      await terminal.write(renderTable(terminal, EARLIER_COLUMNS, earlier))
    })
}

const EARLIER_COLUMNS: readonly Column<EarlierEvent>[] = [
  { title: 'HAPPENED', text: ({ at }) => at ?? '' },
  { title: 'HISTORY', text: ({ from_history }) => from_history },
  { title: 'EVENT', maxWidth: 40, text: ({ event }) => event },
  { title: 'TYPES', maxWidth: 60, text: ({ types }) => types.join(', ') },
]

type Pages = Pick<Listing<Change, HistoryPage>, 'pages'>

/** Earlier events follow the changes; they have the member from_history. */
function addEarlier(listing: Pages) {
  return {
    async *pages() {
      for await (const page of listing.pages()) yield { ...page, items: [...page.items, ...page.earlier] }
    },
  }
}

function noteEarlier(listing: Pages, earlier: EarlierEvent[]) {
  return {
    async *pages() {
      for await (const page of listing.pages()) {
        earlier.push(...page.earlier)
        yield page
      }
    },
  }
}
