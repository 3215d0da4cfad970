// What more accounts, and more processes, do to get-cve.
import { addAccounts } from '../data/many-accounts.ts'
import { requestText } from '../load/connection.ts'
import { ratioOf, type Turn, takeTurns } from '../load/turns.ts'
import { type Bench, crowdOf, httpSide, type Section, sidesOf } from '../section.ts'
import type { Caller } from '../world.ts'
import { pathOf, requestsFor } from './get-cve.ts'

const CALLERS = 10

/** The accounts are in databases of their own, the catalog is the same; as many callers are active in both. */
export const accounts: Section = async (bench) => {
  const { world, pace, isQuick } = bench
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
    sides.push(httpSide(name, [server.pid], crowd, requestsOf(bench, await world.addCallers(url, CALLERS))))
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

function requestsOf({ ids }: Bench, callers: readonly Caller[]): readonly string[] {
  return ids.map((id, index) => requestText(pathOf(id), callers[index % callers.length]?.key ?? ''))
}

/** Of everything that works for a call. */
const allOf = ({ own, postgres, redis }: Turn) => own + postgres + redis

export const processes: Section = async (bench) => {
  const { world, pace } = bench
  const [first, second] = [await world.serve(), await world.serve()]
  const [one, two] = [await crowdOf(first.port), await crowdOf(first.port, second.port)]
  const turns = await takeTurns(
    [
      httpSide('one process', [first.pid, second.pid], one, requestsFor(bench)),
      httpSide('two processes', [first.pid, second.pid], two, requestsFor(bench)),
    ],
    pace,
    world.shared,
  )
  for (const crowd of [one, two]) crowd.close()
  await Promise.all([first.stop(), second.stop()])
  return {
    measured: [
      { figure: 'twoProcesses', ratio: ratioOf(turns, (of) => allOf(of('one process')) / allOf(of('two processes'))) },
    ],
    sides: sidesOf('processes', turns),
  }
}
