import type { Command } from '../command.ts'
import { type FlagWord, flagWords } from './words.ts'

export function zshCompletion(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${escaped(name)}:${summary}`)}\n`).join('')
  return `#compdef vis
# vis completion zsh: put it as _vis into a folder of $fpath.
_vis() {
  local -a commands
  commands=(
${names}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
${commands.map(commandCase).join('')}  esac
}
if [ "$funcstack[1]" = "_vis" ]; then _vis "$@"; else compdef _vis vis; fi
`
}

function commandCase(command: Command): string {
  const { name, operands } = command
  const specs = flagWords(command).map((word) => `      ${quoted(specOf(word))} \\\n`)
  const rest = operands?.values ? `:word:(${operands.values.join(' ')})` : ': :'
  return `    ${name}) _arguments \\\n${specs.join('')}      ${quoted(`*${rest}`)} ;;\n`
}

function specOf({ flag, about, takesValue, values, isFile }: FlagWord): string {
  const action = isFile ? ':file:_files' : `:value:${values.length > 0 ? `(${values.join(' ')})` : ' '}`
  return `${flag}[${escaped(about)}]${takesValue ? action : ''}`
}

/** Colons and brackets mean something in the words of _arguments. */
function escaped(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
