// get-cve: from memory against a bare route, gzip against identity, and from the database against the sum of its parts.
import { readRecord } from '../../../src/api/cve-record/load.ts'
import { type CveKey, toCveKey, parseCveId } from '../../../src/domain/cve-id.ts'
import { requestText } from '../load/connection.ts'
import { costOfAll, ratioOf, type Side, type Turn, takeTurns } from '../load/turns.ts'
import { type Bench, CALLERS, crowdOf, httpSide, type Section, sidesOf } from '../section.ts'
import { type Statement, statementOf } from '../statement.ts'
import type { Caller } from '../world.ts'

const pathOf = (id: string) => `/api/v1/cve/${id}`

/** Each call by another caller. */
export function requestsFor({ ids, callers }: Asking, headers?: string): readonly string[] {
  return ids.map((id, index) => requestText(pathOf(id), callers[index % callers.length]?.key ?? '', headers))
}

interface Asking {
  readonly ids: readonly string[]
  readonly callers: readonly Pick<Caller, 'key'>[]
}

export const warm: Section = async (bench) => {
  const { world, pace, ids } = bench
  const asking = { ids, callers: world.callers }
  const server = await world.serve()
  const bare = await world.bareFastify(await bodiesOf(bench, server.port))
  const [crowd, bareCrowd] = [await crowdOf(server.port), await crowdOf(bare.port)]
  const turns = await takeTurns(
    [
      httpSide('F', [bare.pid], bareCrowd, requestsFor(asking)),
      httpSide('get-cve', [server.pid], crowd, requestsFor(asking)),
      httpSide('get-cve, gzip', [server.pid], crowd, requestsFor(asking, 'Accept-Encoding: gzip\r\n')),
    ],
    pace,
    world.shared,
  )
  for (const each of [crowd, bareCrowd]) each.close()
  await Promise.all([server.stop(), bare.stop()])
  return {
    measured: [
      {
        figure: 'warmThroughput',
        ratio: ratioOf(turns, (of) => of('get-cve').perSecond / of('F').perSecond),
      },
      { figure: 'warmCpu', ratio: ratioOf(turns, (of) => of('get-cve').own / of('F').own) },
      { figure: 'gzip', ratio: ratioOf(turns, (of) => of('get-cve, gzip').perSecond / of('get-cve').perSecond) },
    ],
    sides: sidesOf('get-cve, warm', turns),
  }
}

export const cold: Section = async (bench) => {
  const { world, pace, ids } = bench
  const asking = { ids, callers: world.callers }
  const server = await world.serve({ CVE_CACHE_MB: '0' })
  const bare = await world.bareFastify(await bodiesOf(bench, server.port))
  const queries = await world.bareQueries({ record: await Promise.all(ids.map(recordStatement)) })
  const [crowd, bareCrowd] = [await crowdOf(server.port), await crowdOf(bare.port)]
  const query = (name: string, what: string): Side => ({
    name,
    pids: [queries.pid],
    run: (ms) => queries.run({ what, callers: CALLERS, ms }),
  })
  const turns = await takeTurns(
    [
      httpSide('F', [bare.pid], bareCrowd, requestsFor(asking)),
      query('P', 'record'),
      query('M', 'charge'),
      httpSide('get-cve, cold', [server.pid], crowd, requestsFor(asking)),
    ],
    pace,
    world.shared,
  )
  for (const each of [crowd, bareCrowd]) each.close()
  await Promise.all([server.stop(), bare.stop(), queries.stop()])
  const sum = (of: (name: string) => Turn) => costOfAll(of('F')) + costOfAll(of('P')) + costOfAll(of('M'))
  return {
    measured: [{ figure: 'coldCpu', ratio: ratioOf(turns, (of) => costOfAll(of('get-cve, cold')) / sum(of)) }],
    sides: sidesOf('get-cve, cold', turns),
  }
}

async function bodiesOf({ ids, world: { callers } }: Bench, port: number): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const id of ids) {
    const answer = await fetch(`http://127.0.0.1:${port}${pathOf(id)}`, {
      headers: { 'X-API-Key': callers[0]?.key ?? '', 'Accept-Encoding': 'identity' },
    })
    if (answer.status !== 200) throw new Error(`${id} was answered with ${answer.status}: ${await answer.text()}`)
    bodies.set(pathOf(id), Buffer.from(await answer.arrayBuffer()))
  }
  return bodies
}

export function keyOf(id: string): CveKey {
  const known = parseCveId(id)
  const key = known && toCveKey(known)
  if (key === undefined) throw new Error(`${id} has no key`)
  return key
}

const recordStatement = (id: string): Promise<Statement> => statementOf((db) => readRecord(db, keyOf(id)))
