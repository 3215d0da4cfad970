import type { Command } from '../command.ts'
import { flagWords } from './words.ts'

export function bashCompletion(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ')
  return `# vis completion bash: source it, or put it into a folder that bash-completion reads.
_vis() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(valueCases).join('')}  esac
  case "\${COMP_WORDS[1]}" in
${commands.map(flagCase).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _vis vis
`
}

function valueCases(command: Command): string[] {
  return flagWords(command)
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, values, isFile }) => {
      const made = isFile ? 'compgen -f' : `compgen -W "${values.join(' ')}"`
      return `    "${command.name} ${flag}") COMPREPLY=($(${made} -- "$current")); return ;;\n`
    })
}

function flagCase(command: Command): string {
  const words = [...(command.operands?.values ?? []), ...flagWords(command).map(({ flag }) => flag)]
  return `    ${command.name}) words="${words.join(' ')}" ;;\n`
}
