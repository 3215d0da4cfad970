// `vis`, for callers of the service: built on the sdk alone.
import { parseFor } from './arguments.ts'
import { type Command, UsageError } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { type Explanation, explain } from './explain.ts'
import { helpFor, overview } from './help.ts'
import { nearest } from './nearest.ts'
import { cleanBlock } from './render/text.ts'
import { clientFor, settingsOf } from './settings.ts'
import { openTerminal } from './terminal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the exit code: 0 done, 1 refused or out of reach, 2 not understood. */
export async function main(argv: readonly string[], env: Environment): Promise<number> {
  const terminal = openTerminal(env)
  const [name = 'help', ...words] = argv
  let settings = settingsOf({}, env)
  try {
    if (/^(help|--help|-h)$/.test(name)) {
      await terminal.write(overview(COMMANDS, terminal))
      return 0
    }
    const command = find(name)
    const { values, operands } = parseFor(command, words)
    settings = settingsOf(values, env)
    if (values['help'] === true) await terminal.write(helpFor(command, terminal))
    else await command.run({ operands, values, terminal, client: () => clientFor(values, env, terminal) })
    return 0
  } catch (error) {
    const explanation = explain(error, settings, terminal.now)
    terminal.remark(say(explanation))
    return explanation.exitCode
  }
}

function find(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name)
  if (command) return command
  const guess = nearest(
    name,
    COMMANDS.map((each) => each.name),
  )
  throw new UsageError(
    `vis has no command "${name}"${guess ? `; did you mean ${guess}?` : '.'}`,
    'vis --help lists them.',
  )
}

/** The service's words may be in it: nothing of them may steer the terminal. */
function say({ what, why, next }: Explanation): string {
  const lines = [`error: ${what}`, ...(why ? [why] : []), ...(next ? [next] : [])]
  return `${cleanBlock(lines.join('\n'))}\n`
}
