import { Argument, type Command } from 'commander'
import { type Context, createCommand } from '../../command.ts'
import { renderBashCompletion } from '../../completion/bash.ts'
import { renderFishCompletion } from '../../completion/fish.ts'
import { renderZshCompletion } from '../../completion/zsh.ts'

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
}

export function createCompletionCommand({ terminal }: Context): Command {
  const completion = createCommand({
    name: 'completion',
    summary: 'Print a shell script that completes commands and options',
    options: [],
    examples: [
      'source <(visctl completion bash)',
      'visctl completion zsh > ~/.zfunc/_visctl',
      'visctl completion fish > ~/.config/fish/completions/visctl.fish',
    ],
  }).addArgument(new Argument('<shell>', 'Shell that runs the script').choices(Object.keys(SHELLS)))
  return completion.action(async (shell: string) => {
    await terminal.write(SHELLS[shell]?.(completion.parent?.commands ?? []) ?? '')
  })
}
