import type { Command } from 'commander'
import { listArgumentValues, listCompletionOptions, takesFile } from './options.ts'

export function renderBashCompletion(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name()).join(' ')
  return `# Output of "visctl completion bash". Source this file, or put it into a folder that bash-completion reads.
_visctl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} help --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(renderValueCases).join('')}  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(renderOptionCase).join('')}    help) words="${names}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _visctl visctl
`
}

function renderValueCases(command: Command): string[] {
  return listCompletionOptions(command)
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, values, isFile }) => {
      const candidates = isFile ? 'compgen -f' : `compgen -W "${values.join(' ')}"`
      return `    "${command.name()} ${flag}") COMPREPLY=($(${candidates} -- "$current")); return ;;\n`
    })
}

function renderOptionCase(command: Command): string {
  const words = [...listArgumentValues(command), ...listCompletionOptions(command).map(({ flag }) => flag)]
  const files = takesFile(command)
    ? '; case "$current" in -*) ;; *) COMPREPLY=($(compgen -f -- "$current")); return ;; esac'
    : ''
  return `    ${command.name()}) words="${words.join(' ')}"${files} ;;\n`
}
