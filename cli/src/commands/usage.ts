import type { Command } from '../command.ts'
import { JSON_FLAG } from '../common-flags.ts'
import { bar } from '../render/severity.ts'
import { lines, row } from '../render/sheet.ts'
import { cleanJson } from '../render/text.ts'

const BAR_WIDTH = 30
const NEARLY_GONE = 90

export const usage: Command = {
  name: 'usage',
  summary: 'The plan and the credits of this month (free)',
  flags: JSON_FLAG,
  examples: ['vis usage', 'vis usage --json'],
  run: async ({ values, terminal, client }) => {
    const used = await (await client()).usage()
    if (values['json'] === true) return terminal.write(`${cleanJson(JSON.stringify(used, null, 2))}\n`)
    const { plan, credits_limit, credits_used, credits_remaining, percentage_used, reset_at } = used
    const [full, rest] = bar(percentage_used / 100, BAR_WIDTH)
    const meter = terminal.paint(percentage_used >= NEARLY_GONE ? 'red' : 'green', full) + terminal.paint('gray', rest)
    await terminal.write(
      row(terminal, 'Plan', plan) +
        lines(terminal, 'Credits', [
          `${meter}  ${credits_used.toLocaleString('en')} of ${credits_limit.toLocaleString('en')} used`,
          `${credits_remaining.toLocaleString('en')} left`,
        ]) +
        row(terminal, 'Reset', reset_at),
    )
  },
}
