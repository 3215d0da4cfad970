import { Command, Option } from 'commander'
import { createAccount } from '../accounts/administer.ts'
import { PLAN_NAMES, type Plan } from '../domain/plan.ts'
import { withAccountsOwner } from './with-owner.ts'

export function accountsCommand(): Command {
  const accounts = new Command('accounts').description('accounts, their plans and quotas')
  accounts
    .command('create')
    .description('make an account')
    .requiredOption('--name <name>', 'who it is for')
    .addOption(new Option('--plan <plan>', 'what it may do').choices(PLAN_NAMES).makeOptionMandatory())
    .option('--json', 'print {"id": …} instead of a sentence')
    .action(async (options: { name: string; plan: Plan; json?: boolean }) => {
      const id = await withAccountsOwner((db) => createAccount(db, options.name, options.plan))
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ id, name: options.name, plan: options.plan })}\n`)
        return
      }
      // The sentence goes beside the id, so that ID=$(vis-server accounts create …) holds the id alone.
      process.stderr.write(
        `Account ${id} (${options.name}, ${options.plan}). Next: vis-server keys issue --account ${id}\n`,
      )
      process.stdout.write(`${id}\n`)
    })
  return accounts
}
