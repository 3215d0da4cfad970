// Benchmark sections accounts and processes: compare get-cve with 1,000,000 accounts against 10 accounts, and with two
// processes against one.
import { addAccounts } from '../data/many-accounts.ts'
import { computeRatio, measureInTurns, sumCost } from '../load/measure-in-turns.ts'
import { createHttpSide, openCallers, type Section, summariseSides } from '../section.ts'
import { buildRequests } from './get-cve.ts'

const ACTIVE_ACCOUNTS = 10

/**
 * Both sides of the comparison of account numbers have their own accounts database, share the catalog, and have the
 * same number of active callers.
 */
export const accounts: Section = async ({ setup, pace, ids, isQuick }) => {
  const count = isQuick ? 20_000 : 1_000_000
  const [few, many] = [await setup.createDatabase('few_accounts'), await setup.createDatabase('many_accounts')]
  await addAccounts(many, count)
  const sides = []
  const servers = []
  for (const [name, url] of [
    ['10 accounts', few],
    [`${count.toLocaleString('en')} accounts`, many],
  ] as const) {
    const server = await setup.serve({ ACCOUNTS_DATABASE_URL: url })
    const callerPool = await openCallers(server.port)
    sides.push(
      createHttpSide(
        name,
        [server.pid],
        callerPool,
        buildRequests({ ids, callers: await setup.addCallers(url, ACTIVE_ACCOUNTS) }),
      ),
    )
    servers.push({ server, callerPool })
  }
  const turns = await measureInTurns(sides, pace, setup.sharedCpu)
  for (const { callerPool } of servers) callerPool.close()
  await Promise.all(servers.map(({ server }) => server.stop()))
  const [small = '', large = ''] = sides.map(({ name }) => name)
  return {
    measured: [
      { figure: 'manyAccounts', ratio: computeRatio(turns, (turn) => turn(large).perSecond / turn(small).perSecond) },
    ],
    sides: summariseSides('accounts', turns),
  }
}

export const processes: Section = async ({ setup, pace, ids }) => {
  const requests = buildRequests({ ids, callers: setup.callers })
  const [first, second] = [await setup.serve(), await setup.serve()]
  const [one, two] = [await openCallers(first.port), await openCallers(first.port, second.port)]
  const turns = await measureInTurns(
    [
      createHttpSide('one process', [first.pid, second.pid], one, requests),
      createHttpSide('two processes', [first.pid, second.pid], two, requests),
    ],
    pace,
    setup.sharedCpu,
  )
  for (const callerPool of [one, two]) callerPool.close()
  await Promise.all([first.stop(), second.stop()])
  return {
    measured: [
      {
        figure: 'twoProcesses',
        ratio: computeRatio(turns, (turn) => sumCost(turn('one process')) / sumCost(turn('two processes'))),
      },
    ],
    sides: summariseSides('processes', turns),
  }
}
