import type { Command } from 'commander'
import { type AliasCves, type Client, isVisError } from 'vis-sdk'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { JSON_OPTION } from '../options.ts'
import { formatCredits } from '../render/credits.ts'
import { type Column, renderTable } from '../render/table.ts'
import { cleanLine, formatJson } from '../render/text.ts'

const COLUMNS: readonly Column<AliasCves>[] = [
  { title: 'ALIAS', text: ({ alias }) => alias, style: () => 'bold' },
  { title: 'SOURCE', text: ({ source }) => source },
  { title: 'CVES', text: ({ cve_ids }) => cve_ids.join(' ') },
]

export function createAliasCommand(context: Context): Command {
  return createCommand({
    name: 'alias',
    summary: `Find the CVEs of advisories by their ids (${formatCredits(PRICES.getAlias)} per id)`,
    options: [JSON_OPTION],
    examples: [
      'visctl alias GHSA-jfh8-c2jp-5v3q',
      'visctl alias RHSA-2024:4312 GO-2022-0535 --json',
      "visctl alias RHSA-2024:4312 --json | jq -r '.[].cve_ids[]' | visctl prioritize",
    ],
  })
    .argument('<alias...>', 'Ids of advisories, such as GHSA-…, RHSA-…, KB…, GO-…, PYSEC-…')
    .action((aliases: readonly string[], values: OptionValues) => printAliases(context, aliases, values))
}

async function printAliases(
  { terminal, connect, setExitCode }: Context,
  aliases: readonly string[],
  values: OptionValues,
): Promise<void> {
  const client = await connect(values)
  const found: AliasCves[] = []
  const messages: string[] = []
  for (const alias of aliases) {
    const result = await findAlias(client, alias)
    if (typeof result === 'string') messages.push(result)
    else found.push(result)
  }
  if (values['json'] === true) await terminal.write(formatJson(found))
  else if (found.length > 0) await terminal.write(renderTable(terminal, COLUMNS, found))
  for (const message of messages) terminal.printNote(`error: ${cleanLine(message)}\n`)
  if (messages.length > 0) setExitCode(1)
}

/** Returns the service's error message if the alias is unknown. */
async function findAlias(client: Client, alias: string): Promise<AliasCves | string> {
  try {
    return await client.alias(alias)
  } catch (error) {
    if (isVisError(error) && error.code === 'NOT_FOUND') return error.message
    throw error
  }
}
