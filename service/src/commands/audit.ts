import { once } from 'node:events'
import { Command } from 'commander'
import { readActionsAfter, readLastCompleteId } from '../accounts/audit.ts'
import { UsageError } from '../domain/usage-error.ts'
import { readAccountsRepeatedly } from './account-operation.ts'
import { parseId } from './input/parse-values.ts'
import { type CommandIo, readConfig } from './io.ts'
import { renderRow } from './output/print.ts'

const BATCH_SIZE = 1000

interface Options {
  readonly after?: string
  readonly account?: string
}

export function auditCommand(io: CommandIo): Command {
  const audit = new Command('audit').description('Read the audit log of changes to accounts and keys')
  audit
    .command('export')
    .description('Print all rows of the audit log as JSON lines, in the order of their ids')
    .option('--after <id>', 'Print only rows with a larger id, such as the last id of an earlier export')
    .option('--account <id>', 'Print only the rows of one account')
    .action((options: Options) => exportAudit(io, options))
  return audit
}

async function exportAudit(io: CommandIo, options: Options): Promise<void> {
  const accountId = options.account === undefined ? undefined : parseId(options.account, 'account')
  let after = parseRowId(options.after ?? '0')
  await readAccountsRepeatedly(readConfig(io), async (db) => {
    const last = await readLastCompleteId(db)
    for (;;) {
      const rows = await readActionsAfter(db, { after, last, accountId, count: BATCH_SIZE })
      const text = rows.map((row) => `${JSON.stringify(renderRow(row))}\n`).join('')
      // Waits while the pipe is full, so that exporting a large log needs little memory.
      if (text !== '' && !io.stdout.write(text)) await once(io.stdout, 'drain')
      const final = rows.at(-1)
      if (final === undefined) return
      after = final.id
    }
  })
}

function parseRowId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw new UsageError(
    `--after takes the id of a row of the audit log, which is a number, not ${JSON.stringify(text.slice(0, 80))}.`,
  )
}
