import type { Command } from 'commander'
import { type CompletionOption, listArgumentValues, listCompletionOptions, takesFile } from './options.ts'

export function renderFishCompletion(commands: readonly Command[]): string {
  const names = commands.map(
    (command) =>
      `complete -c visctl -n __fish_use_subcommand -a ${command.name()} -d ${quote(command.description())}\n`,
  )
  return `# Output of "visctl completion fish". Save this file as ~/.config/fish/completions/visctl.fish.
complete -c visctl -f
${names.join('')}${commands.map(renderCommand).join('')}`
}

function renderCommand(command: Command): string {
  const start = `complete -c visctl -n '__fish_seen_subcommand_from ${command.name()}'`
  const words = listArgumentValues(command)
  return [
    ...(takesFile(command) ? [`${start} -F\n`] : []),
    ...(words.length > 0 ? [`${start} -a ${quote(words.join(' '))}\n`] : []),
    ...listCompletionOptions(command).map(
      (option) => `${start} -l ${option.flag.slice(2)}${renderValue(option)} -d ${quote(option.description)}\n`,
    ),
  ].join('')
}

function renderValue({ takesValue, values, isFile }: CompletionOption): string {
  if (!takesValue) return ''
  if (isFile) return ' -r -F'
  return values.length > 0 ? ` -x -a ${quote(values.join(' '))}` : ' -x'
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
