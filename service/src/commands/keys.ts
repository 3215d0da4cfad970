import { Command } from 'commander'
import { storeKey } from '../accounts/administer.ts'
import { issueKey } from '../accounts/api-key.ts'
import { UsageError } from './usage-error.ts'
import { withAccountsOwner } from './with-owner.ts'

export function keysCommand(): Command {
  const keys = new Command('keys').description('API keys')
  keys
    .command('issue')
    .description('make a key; it is shown this once and never again')
    .requiredOption('--account <id>', 'whose it is')
    .option('--json', 'print {"id": …, "key": …}')
    .action(issue)
  return keys
}

async function issue(options: { account: string; json?: boolean }): Promise<void> {
  if (!/^\d{1,18}$/.test(options.account))
    throw new UsageError(`--account takes the number of an account, not ${JSON.stringify(options.account)}.`)
  const { id, key } = await withAccountsOwner(async (db, config) => {
    const issued = issueKey(config.environment === 'production' ? 'live' : 'test')
    return { id: await storeKey(db, options.account, issued), key: issued.key }
  })
  if (id === undefined)
    throw new UsageError(
      `There is no account ${options.account}. Make one: vis-server accounts create --name … --plan free`,
    )
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ id, key })}\n`)
    return
  }
  // The sentence goes beside the key, so that KEY=$(vis-server keys issue …) holds the key alone.
  process.stderr.write(`Key ${id} of account ${options.account}. Keep it now: only its digest is stored.\n`)
  process.stdout.write(`${key}\n`)
}
