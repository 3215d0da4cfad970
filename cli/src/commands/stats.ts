import type { Command } from '../command.ts'
import { JSON_FLAG } from '../common-flags.ts'
import { row } from '../render/sheet.ts'
import { cleanJson } from '../render/text.ts'

export const stats: Command = {
  name: 'stats',
  summary: 'How much the service knows (half a credit)',
  flags: JSON_FLAG,
  examples: ['vis stats', 'vis stats --json'],
  run: async ({ values, terminal, client }) => {
    const known = await (await client()).stats()
    if (values['json'] === true) return terminal.write(`${cleanJson(JSON.stringify(known, null, 2))}\n`)
    const count = (number: number) => number.toLocaleString('en')
    await terminal.write(
      row(terminal, 'CVEs', count(known.totalCves)) +
        row(terminal, '', `${count(known.cvesLast24Hours)} published in the last 24 hours`) +
        row(terminal, '', `${count(known.cvesLast7Days)} in 7 days, ${count(known.cvesLast30Days)} in 30 days`) +
        row(terminal, 'KEV', count(known.totalKev)) +
        row(terminal, 'EPSS', `${count(known.totalWithEpss)}, on average ${known.averageEpssScore}`) +
        row(terminal, 'ACSC', count(known.totalWithAcsc)) +
        row(terminal, 'Updated', known.lastUpdated ?? 'never'),
    )
  },
}
