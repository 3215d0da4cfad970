import type { Command } from '../command.ts'
import { type FlagWord, flagWords } from './words.ts'

export function fishCompletion(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c vis -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}\n`,
  )
  return `# vis completion fish: put it into ~/.config/fish/completions/vis.fish.
complete -c vis -f
${names.join('')}${commands.map(ofCommand).join('')}`
}

function ofCommand(command: Command): string {
  const start = `complete -c vis -n '__fish_seen_subcommand_from ${command.name}'`
  const words = command.operands?.values
  return [
    ...(words ? [`${start} -a ${quoted(words.join(' '))}\n`] : []),
    ...flagWords(command).map(
      (word) => `${start} -l ${word.flag.slice(2)}${valuePart(word)} -d ${quoted(word.about)}\n`,
    ),
  ].join('')
}

function valuePart({ takesValue, values, isFile }: FlagWord): string {
  if (!takesValue) return ''
  if (isFile) return ' -r -F'
  return values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ' -x'
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}
