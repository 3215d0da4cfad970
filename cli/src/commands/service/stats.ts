import type { Command } from 'commander'
import { PRICES } from 'vis-sdk/vocabulary'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import { JSON_OPTION } from '../../options.ts'
import { formatCredits } from '../../render/credits.ts'
import { formatRow } from '../../render/layout.ts'
import { formatJson } from '../../render/text.ts'

export function createStatsCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'stats',
    summary: `Show the number of CVEs, KEV entries and scores in the service (${formatCredits(PRICES.getStats)})`,
    options: [JSON_OPTION],
    examples: ['visctl stats', 'visctl stats --json'],
  }).action(async (values: OptionValues) => {
    const stats = await (await connect(values)).stats()
    if (values['json'] === true) return terminal.write(formatJson(stats))
    const format = (count: number) => count.toLocaleString('en')
    await terminal.write(
      formatRow(terminal, 'CVEs', format(stats.totalCves)) +
        formatRow(terminal, '', `${format(stats.cvesLast24Hours)} published in the last 24 hours`) +
        formatRow(
          terminal,
          '',
          `${format(stats.cvesLast7Days)} in 7 days, ${format(stats.cvesLast30Days)} in 30 days`,
        ) +
        formatRow(terminal, 'KEV', format(stats.totalKev)) +
        formatRow(terminal, 'EPSS', `${format(stats.totalWithEpss)}, on average ${stats.averageEpssScore}`) +
        formatRow(terminal, 'ACSC', format(stats.totalWithAcsc)) +
        formatRow(terminal, 'Updated', stats.lastUpdated ?? 'never'),
    )
  })
}
