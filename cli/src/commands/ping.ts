import type { Command } from '../command.ts'
import { cleanLine } from '../render/text.ts'

export const ping: Command = {
  name: 'ping',
  summary: 'Whether the service is there and the key is good (free)',
  flags: {},
  examples: ['vis ping'],
  run: async ({ terminal, client }) => {
    const { status, timestamp } = await (await client()).pingLite()
    await terminal.write(`${cleanLine(`${status} at ${timestamp}`)}\n`)
  },
}
