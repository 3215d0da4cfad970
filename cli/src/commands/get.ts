import type { Command } from 'commander'
import type { Include, Selection } from 'vis-sdk'
import { type Context, createCommand, type OptionValues, UsageError } from '../command.ts'
import { CSV_OPTION, JSON_OPTION, listOptions, readFilters, rejectSelectionWithoutJson, SELECTION } from '../options.ts'
import { CARD_FIELDS, type CardCve, renderCard } from '../render/card.ts'
import { type CsvColumn, formatCsvRow } from '../render/csv.ts'
import { formatJson } from '../render/text.ts'

const CARD_SECTIONS: readonly Include[] = ['acsc', 'enrichment', 'attack']
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

export function createGetCommand(context: Context): Command {
  return createCommand({
    name: 'get',
    summary: 'Show one or more CVEs (5 credits each)',
    options: [JSON_OPTION, CSV_OPTION, ...listOptions(SELECTION)],
    examples: [
      'visctl get CVE-2021-44228',
      'visctl get CVE-2021-44228 --json --include attack',
      'visctl get CVE-2021-44228 CVE-2014-0160 --csv',
    ],
  })
    .argument('<cve...>', `CVE ids, at most ${MAX_IDS}`)
    .action(async (ids: readonly string[], values: OptionValues) => {
      if (ids.length > MAX_IDS) {
        throw new UsageError(`visctl get takes at most ${MAX_IDS} CVE ids, but ${ids.length} were given.`)
      }
      rejectSelectionWithoutJson(values)
      return values['json'] === true ? printJson(context, ids, values) : printCards(context, ids, values)
    })
}

async function printJson({ terminal, connect }: Context, ids: readonly string[], values: OptionValues): Promise<void> {
  const client = await connect(values)
  const selection = readFilters<Selection>(SELECTION, values)
  const cves: unknown[] = []
  for (const id of ids) cves.push(await client.cve(id, selection))
  await terminal.write(formatJson(cves.length === 1 ? cves[0] : cves))
}

async function printCards({ terminal, connect }: Context, ids: readonly string[], values: OptionValues): Promise<void> {
  const client = await connect(values)
  const isCsv = values['csv'] === true
  if (isCsv) await terminal.write(formatCsvRow(CSV_COLUMNS.map(({ title }) => title)))
  for (const [at, id] of ids.entries()) {
    const cve = await client.cve(id, { fields: CARD_FIELDS, include: CARD_SECTIONS })
    if (isCsv) await terminal.write(formatCsvRow(CSV_COLUMNS.map(({ value }) => value(cve))))
    else await terminal.write(`${at > 0 ? '\n' : ''}${renderCard(terminal, cve)}`)
  }
}
