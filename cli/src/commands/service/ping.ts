import type { Command } from 'commander'
import { type Context, createCommand, type OptionValues } from '../../command.ts'
import { cleanLine } from '../../render/text.ts'

export function createPingCommand({ terminal, connect }: Context): Command {
  return createCommand({
    name: 'ping',
    summary: 'Check that the service is reachable and accepts the API key (costs no credits)',
    options: [],
    examples: ['visctl ping'],
  }).action(async (values: OptionValues) => {
    const { status, timestamp } = await (await connect(values)).pingLite()
    await terminal.write(`${cleanLine(`${status} at ${timestamp}`)}\n`)
  })
}
