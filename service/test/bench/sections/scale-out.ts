// What more accounts, and more processes, do to get-cve.
import { addAccounts } from '../data/many-accounts.ts'
import { costOfAll, ratioOf, takeTurns } from '../load/turns.ts'
import { crowdOf, httpSide, type Section, sidesOf } from '../section.ts'
import { requestsFor } from './get-cve.ts'

const ACTIVE = 10

/** The accounts are in databases of their own, the catalog is the same; as many callers are active in both. */
export const accounts: Section = async ({ world, pace, ids, isQuick }) => {
  const count = isQuick ? 20_000 : 1_000_000
  const [few, many] = [await world.database('few_accounts'), await world.database('many_accounts')]
  await addAccounts(many, count)
  const sides = []
  const servers = []
  for (const [name, url] of [
    ['10 accounts', few],
    [`${count.toLocaleString('en')} accounts`, many],
  ] as const) {
    const server = await world.serve({ ACCOUNTS_DATABASE_URL: url })
    const crowd = await crowdOf(server.port)
    sides.push(httpSide(name, [server.pid], crowd, requestsFor({ ids, callers: await world.addCallers(url, ACTIVE) })))
    servers.push({ server, crowd })
  }
  const turns = await takeTurns(sides, pace, world.shared)
  for (const { crowd } of servers) crowd.close()
  await Promise.all(servers.map(({ server }) => server.stop()))
  const [small = '', large = ''] = sides.map(({ name }) => name)
  return {
    measured: [{ figure: 'manyAccounts', ratio: ratioOf(turns, (of) => of(large).perSecond / of(small).perSecond) }],
    sides: sidesOf('accounts', turns),
  }
}

export const processes: Section = async ({ world, pace, ids }) => {
  const requests = requestsFor({ ids, callers: world.callers })
  const [first, second] = [await world.serve(), await world.serve()]
  const [one, two] = [await crowdOf(first.port), await crowdOf(first.port, second.port)]
  const turns = await takeTurns(
    [
      httpSide('one process', [first.pid, second.pid], one, requests),
      httpSide('two processes', [first.pid, second.pid], two, requests),
    ],
    pace,
    world.shared,
  )
  for (const crowd of [one, two]) crowd.close()
  await Promise.all([first.stop(), second.stop()])
  return {
    measured: [
      {
        figure: 'twoProcesses',
        ratio: ratioOf(turns, (of) => costOfAll(of('one process')) / costOfAll(of('two processes'))),
      },
    ],
    sides: sidesOf('processes', turns),
  }
}
