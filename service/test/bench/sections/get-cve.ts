// Benchmark sections warm and cold of the endpoint get-cve. Warm compares answers from the cache with baseline F (bare
// Fastify), and gzip answers with uncompressed ones. Cold compares answers from the database with the sum of the
// baselines F, P (SQL statement) and M (charge).
import { readRecord } from '../../../src/api/cve-record/load.ts'
import { requireCveKey } from '../../support/catalog/cve-builder.ts'
import { buildGetRequest } from '../load/connection.ts'
import { computeRatio, measureInTurns, type Side, sumCost, type Turn } from '../load/measure-in-turns.ts'
import { captureStatement, type Statement } from '../search/capture-statement.ts'
import { type Bench, CALLER_COUNT, createHttpSide, openCallers, type Section, summariseSides } from '../section.ts'
import type { Caller } from '../setup.ts'

const buildPath = (id: string) => `/api/v1/cve/${id}`

/** Builds one request per CVE id. The requests use the API keys of the callers in turn. */
export function buildRequests({ ids, callers }: RequestSource, headers?: string): readonly string[] {
  return ids.map((id, index) => buildGetRequest(buildPath(id), callers[index % callers.length]?.key ?? '', headers))
}

interface RequestSource {
  readonly ids: readonly string[]
  readonly callers: readonly Pick<Caller, 'key'>[]
}

export const warm: Section = async (bench) => {
  const { setup, pace, ids } = bench
  const source = { ids, callers: setup.callers }
  const server = await setup.serve()
  const bare = await setup.startBareFastify(await fetchBodies(bench, server.port))
  const [callerPool, barePool] = [await openCallers(server.port), await openCallers(bare.port)]
  const turns = await measureInTurns(
    [
      createHttpSide('F', [bare.pid], barePool, buildRequests(source)),
      createHttpSide('get-cve', [server.pid], callerPool, buildRequests(source)),
      createHttpSide('get-cve, gzip', [server.pid], callerPool, buildRequests(source, 'Accept-Encoding: gzip\r\n')),
    ],
    pace,
    setup.sharedCpu,
  )
  for (const pool of [callerPool, barePool]) pool.close()
  await Promise.all([server.stop(), bare.stop()])
  return {
    measured: [
      {
        figure: 'warmThroughput',
        ratio: computeRatio(turns, (turn) => turn('get-cve').perSecond / turn('F').perSecond),
      },
      { figure: 'warmCpu', ratio: computeRatio(turns, (turn) => turn('get-cve').own / turn('F').own) },
      {
        figure: 'gzip',
        ratio: computeRatio(turns, (turn) => turn('get-cve, gzip').perSecond / turn('get-cve').perSecond),
      },
    ],
    sides: summariseSides('get-cve, warm', turns),
  }
}

export const cold: Section = async (bench) => {
  const { setup, pace, ids } = bench
  const source = { ids, callers: setup.callers }
  const server = await setup.serve({ CVE_CACHE_MB: '0' })
  const bare = await setup.startBareFastify(await fetchBodies(bench, server.port))
  const queries = await setup.startBareQueries({ record: await Promise.all(ids.map(captureRecordStatement)) })
  const [callerPool, barePool] = [await openCallers(server.port), await openCallers(bare.port)]
  const createQuerySide = (name: string, task: string): Side => ({
    name,
    pids: [queries.pid],
    run: (ms) => queries.run({ name: task, callers: CALLER_COUNT, ms }),
  })
  const turns = await measureInTurns(
    [
      createHttpSide('F', [bare.pid], barePool, buildRequests(source)),
      createQuerySide('P', 'record'),
      createQuerySide('M', 'charge'),
      createHttpSide('get-cve, cold', [server.pid], callerPool, buildRequests(source)),
    ],
    pace,
    setup.sharedCpu,
  )
  for (const pool of [callerPool, barePool]) pool.close()
  await Promise.all([server.stop(), bare.stop(), queries.stop()])
  const sumBaselines = (turn: (name: string) => Turn) => sumCost(turn('F')) + sumCost(turn('P')) + sumCost(turn('M'))
  return {
    measured: [
      { figure: 'coldCpu', ratio: computeRatio(turns, (turn) => sumCost(turn('get-cve, cold')) / sumBaselines(turn)) },
    ],
    sides: summariseSides('get-cve, cold', turns),
  }
}

async function fetchBodies({ ids, setup: { callers } }: Bench, port: number): Promise<ReadonlyMap<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const id of ids) {
    const answer = await fetch(`http://127.0.0.1:${port}${buildPath(id)}`, {
      headers: { 'X-API-Key': callers[0]?.key ?? '', 'Accept-Encoding': 'identity' },
    })
    if (answer.status !== 200) throw new Error(`${id} was answered with ${answer.status}: ${await answer.text()}`)
    bodies.set(buildPath(id), Buffer.from(await answer.arrayBuffer()))
  }
  return bodies
}

const captureRecordStatement = (id: string): Promise<Statement> =>
  captureStatement((db) => readRecord(db, requireCveKey(id)))
