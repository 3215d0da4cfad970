import type { Command } from 'commander'
import { type Context, createCommand, type OptionValues } from '../command.ts'
import { JSON_OPTION } from '../options.ts'
import { formatLines, formatRow } from '../render/layout.ts'
import { renderBar } from '../render/severity.ts'
import { formatJson } from '../render/text.ts'

const BAR_WIDTH = 30
/** Percentage of used credits from which the bar of `visctl usage` is red. */
const RED_PERCENTAGE = 90

export function createUsageCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'usage',
    summary: 'Show the plan of your account and the credits used and left this month (costs no credits)',
    options: [JSON_OPTION],
    examples: ['visctl usage', 'visctl usage --json'],
  }).action(async (values: OptionValues) => {
    const usage = await (await connect(values)).usage()
    if (values['json'] === true) return terminal.write(formatJson(usage))
    const { plan, credits_limit, credits_used, credits_remaining, percentage_used, reset_at } = usage
    const [full, rest] = renderBar(percentage_used / 100, BAR_WIDTH)
    const bar = terminal.paint(percentage_used >= RED_PERCENTAGE ? 'red' : 'green', full) + terminal.paint('gray', rest)
    await terminal.write(
      formatRow(terminal, 'Plan', plan) +
        formatLines(terminal, 'Credits', [
          `${bar}  ${credits_used.toLocaleString('en')} of ${credits_limit.toLocaleString('en')} used`,
          `${credits_remaining.toLocaleString('en')} left`,
        ]) +
        formatRow(terminal, 'Reset', reset_at),
    )
  })
}
