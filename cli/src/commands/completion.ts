import { type Command, UsageError } from '../command.ts'
import { bashCompletion } from '../completion/bash.ts'
import { fishCompletion } from '../completion/fish.ts'
import { zshCompletion } from '../completion/zsh.ts'

const SHELLS = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
])

/** It completes itself too: hence the other commands, and then this one. */
export function completionOf(others: readonly Command[]): Command {
  const completion: Command = {
    name: 'completion',
    summary: 'A script that makes a shell complete commands and flags',
    operands: { placeholder: 'SHELL', fewest: 1, most: 1, values: [...SHELLS.keys()] },
    flags: {},
    examples: [
      'source <(vis completion bash)',
      'vis completion zsh > ~/.zfunc/_vis',
      'vis completion fish > ~/.config/fish/completions/vis.fish',
    ],
    run: async ({ operands: [shell = ''], terminal }) => {
      await terminal.write(scriptFor(shell)([...others, completion]))
    },
  }
  return completion
}

function scriptFor(shell: string) {
  const script = SHELLS.get(shell)
  if (!script) throw new UsageError(`"${shell}" is none of the shells ${[...SHELLS.keys()].join(', ')}.`)
  return script
}
