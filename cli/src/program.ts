// Builds the root command of visctl with all subcommands.
import { Command } from 'commander'
import type { Context } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { COMMON_OPTIONS } from './options.ts'
import { cleanBlock } from './render/text.ts'
import { readVersion } from './version.ts'

const SETTINGS = `
Environment:
  VIS_URL      Base URL of the service (default: http://127.0.0.1:3000)
  VIS_API_KEY  API key; --key-file reads the key from a file instead
  NO_COLOR     Turns colors off

visctl <command> --help shows the options and examples of a command.`

export function buildProgram(context: Context): Command {
  const { terminal } = context
  const program = new Command('visctl')
    .description('Query a Vulnerability Intelligence Service for CVEs.')
    .usage('<command> [options]')
    .version(readVersion(), '-V, --version', 'Show the version of visctl')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show help for a command')
    .addHelpText('after', SETTINGS)
    .showHelpAfterError('visctl --help lists the commands.')
    .configureHelp({ styleTitle: (title) => terminal.paint('bold', title) })
    .configureOutput({
      writeOut: terminal.writeHelp,
      // commander's messages repeat arguments, which may contain terminal control characters.
      writeErr: (text) => terminal.printNote(cleanBlock(text)),
      getOutHelpWidth: () => terminal.width,
      // Makes commander keep colors in the help: terminal.paint adds none if colors are off.
      getOutHasColors: () => true,
    })
    .exitOverride()
  for (const createCommand of COMMANDS) {
    const command = createCommand(context).copyInheritedSettings(program)
    for (const option of COMMON_OPTIONS) command.addOption(option)
    program.addCommand(command.showHelpAfterError(`visctl ${command.name()} --help lists the options.`))
  }
  return program
}
