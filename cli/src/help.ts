// What help says, made from what commands are.
import { type Command, type Flag, flagName } from './command.ts'
import { COMMON_FLAGS } from './common-flags.ts'
import { pad, wrap } from './render/text.ts'
import type { Terminal } from './terminal.ts'

const NAME_WIDTH = 14
const FLAG_WIDTH = 30

export function overview(commands: readonly Command[], { paint }: Terminal): string {
  return `${paint('bold', 'vis')} asks a Vulnerability Intelligence Service about CVEs.

usage: vis <command> [flags]

${commands.map(({ name, summary }) => `  ${paint('bold', pad(name, NAME_WIDTH))}${summary}\n`).join('')}
Settings:
  VIS_URL       where the service is (default http://127.0.0.1:3000)
  VIS_API_KEY   your key; or name a file that holds it with --key-file
  NO_COLOR      no colours

vis <command> --help shows its flags and examples.
`
}

export function helpFor({ name, summary, operands, flags, examples }: Command, terminal: Terminal): string {
  const own = Object.entries(flags).map(([flag, about]) => flagLines(terminal, flag, about))
  const common = Object.entries(COMMON_FLAGS).map(([flag, about]) => flagLines(terminal, flag, about))
  const { paint } = terminal
  return `${summary}

usage: vis ${name}${operands ? ` ${operands.placeholder}` : ''} [flags]

${own.join('')}${own.length > 0 ? '\n' : ''}${common.join('')}
Examples:
${examples.map((example) => `  ${paint('cyan', example)}\n`).join('')}`
}

function flagLines({ width, paint }: Terminal, name: string, { kind, about, values, placeholder }: Flag): string {
  const word = placeholder ?? (kind === 'list' ? 'WORDS' : 'WORD')
  const shown = kind === 'switch' ? flagName(name) : kind === 'truth' ? truthName(name) : `${flagName(name)} ${word}`
  const text = values && !placeholder ? `${about}: ${values.join(', ')}` : about
  const [first = '', ...rest] = wrap(text, Math.max(30, width - FLAG_WIDTH - 2))
  const indent = ' '.repeat(FLAG_WIDTH + 2)
  const head =
    shown.length < FLAG_WIDTH ? `  ${paint('bold', pad(shown, FLAG_WIDTH))}` : `  ${paint('bold', shown)}\n${indent}`
  return `${head}${first}\n${rest.map((line) => `${indent}${line}\n`).join('')}`
}

function truthName(name: string): string {
  return `--[no-]${name.replaceAll('_', '-')}`
}
