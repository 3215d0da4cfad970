import type { Command } from 'commander'
import { type CompletionOption, listArgumentValues, listCompletionOptions, takesFile } from './options.ts'

export function renderZshCompletion(commands: readonly Command[]): string {
  const names = commands.map((command) => `    ${quote(`${escapeSpec(command.name())}:${command.description()}`)}\n`)
  return `#compdef visctl
# Output of "visctl completion zsh". Save this file as _visctl in a folder of $fpath.
_visctl() {
  local -a commands
  commands=(
${names.join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
${commands.map(renderCommandCase).join('')}  esac
}
if [ "$funcstack[1]" = "_visctl" ]; then _visctl "$@"; else compdef _visctl visctl; fi
`
}

function renderCommandCase(command: Command): string {
  const specs = listCompletionOptions(command).map((option) => `      ${quote(renderSpec(option))} \\\n`)
  const words = listArgumentValues(command)
  const rest = takesFile(command) ? ':file:_files' : words.length > 0 ? `:word:(${words.join(' ')})` : ': :'
  return `    ${command.name()}) _arguments \\\n${specs.join('')}      ${quote(`*${rest}`)} ;;\n`
}

function renderSpec({ flag, description, takesValue, values, isFile }: CompletionOption): string {
  const action = isFile ? ':file:_files' : `:value:${values.length > 0 ? `(${values.join(' ')})` : ' '}`
  return `${flag}[${escapeSpec(description)}]${takesValue ? action : ''}`
}

/** Escapes colons and brackets, because they are syntax in the specs for the zsh function _arguments. */
function escapeSpec(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
