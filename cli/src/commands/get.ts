import type { Selection } from '@vis/sdk'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { CSV_FLAG, JSON_FLAG, SELECTION_FLAGS } from '../common-flags.ts'
import { filtersOf } from '../filters.ts'
import { CARD_FIELDS, type CardCve, card } from '../render/card.ts'
import { type CsvColumn, csvRow } from '../render/csv.ts'
import { cleanJson } from '../render/text.ts'

const ADD_ONS = ['acsc', 'enrichment', 'attack'] as const
const MAX_IDS = 50

const CSV_COLUMNS: readonly CsvColumn<CardCve>[] = [
  { title: 'cve_id', value: ({ cve_id }) => cve_id },
  { title: 'published', value: ({ published }) => published },
  { title: 'modified', value: ({ modified }) => modified },
  { title: 'status', value: ({ status }) => status },
  { title: 'severity', value: ({ severity }) => severity },
  { title: 'cvss_vector', value: ({ enrichment }) => enrichment?.cvss_vector },
  { title: 'epss_score', value: ({ epss }) => epss?.score },
  { title: 'epss_percentile', value: ({ epss }) => epss?.percentile },
  { title: 'kev_date_added', value: ({ kev }) => kev?.dateAdded },
  { title: 'kev_due_date', value: ({ kev }) => kev?.dueDate },
  { title: 'exploit_flag', value: ({ enrichment }) => enrichment?.exploit_flag },
  { title: 'cwe_list', value: ({ enrichment }) => enrichment?.cwe_list.join(' ') },
  { title: 'techniques', value: ({ attack }) => attack?.techniques.join(' ') },
  { title: 'description', value: ({ description }) => description },
]

export const get: Command = {
  name: 'get',
  summary: 'Everything about one CVE, or several (5 credits each)',
  operands: { placeholder: 'CVE …', fewest: 1, most: MAX_IDS },
  flags: { ...JSON_FLAG, ...CSV_FLAG, ...SELECTION_FLAGS },
  examples: [
    'vis get CVE-2021-44228',
    'vis get CVE-2021-44228 --json --include attack',
    'vis get CVE-2021-44228 CVE-2014-0160 --csv',
  ],
  run: async (invocation) => (invocation.values['json'] === true ? getJson(invocation) : getShown(invocation)),
}

async function getJson({ operands, values, terminal, client }: Invocation): Promise<void> {
  const vis = await client()
  const cves: unknown[] = []
  for (const id of operands) cves.push(await vis.cve(id, filtersOf<Selection>(SELECTION_FLAGS, values)))
  await terminal.write(`${cleanJson(JSON.stringify(cves.length === 1 ? cves[0] : cves, null, 2))}\n`)
}

async function getShown({ operands, values, terminal, client }: Invocation): Promise<void> {
  if (values['fields'] ?? values['include']) throw new UsageError('--fields and --include shape --json only: add it.')
  const vis = await client()
  const isCsv = values['csv'] === true
  if (isCsv) await terminal.write(csvRow(CSV_COLUMNS.map(({ title }) => title)))
  for (const [at, id] of operands.entries()) {
    const cve = await vis.cve(id, { fields: CARD_FIELDS, include: ADD_ONS })
    if (isCsv) await terminal.write(csvRow(CSV_COLUMNS.map(({ value }) => value(cve))))
    else await terminal.write(`${at > 0 ? '\n' : ''}${card(terminal, cve)}`)
  }
}
