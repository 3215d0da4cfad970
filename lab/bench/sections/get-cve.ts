// Benchmark sections warm, warm256, gzip and cold of the endpoint get-cve. The warm sections compare answers from the cache
// with the baselines F (bare Fastify) and M (charge), with 64 and with 256 callers. Section gzip compares compressed
// with uncompressed answers, and section cold compares answers from the database with the sum of the baselines F, P (SQL
// statement) and M.
import { readRecord } from '../../../service/src/record/load.ts'
import { requireCveKey } from '../../../service/test/support/catalog/cve-builder.ts'
import { buildGetRequest } from '../../../service/test/support/load/connection.ts'
import { captureStatement, type Statement } from '../../../service/test/support/search/capture-statement.ts'
import type { BareAnswer } from '../bare/fastify.ts'
import type { Caller } from '../callers.ts'
import { computeRatio, type Ratio, type Side, sumCost, type Turn, type Turns } from '../load/measure-in-turns.ts'
import {
  type Bench,
  CALLER_COUNT,
  FEW_ACCOUNTS,
  MANY_ACCOUNTS,
  measureSides,
  type Section,
  summariseSides,
} from '../section.ts'
import { COMMIT } from '../setup.ts'

const buildPath = (id: string) => `/api/v1/cve/${id}`

/** Builds one request per CVE id. The requests use the API keys of the callers in turn. */
export function buildRequests({ ids, callers }: RequestSource, headers?: string): readonly string[] {
  return ids.map((id, index) => buildGetRequest(buildPath(id), callers[index % callers.length]?.key ?? '', headers))
}

interface RequestSource {
  readonly ids: readonly string[]
  readonly callers: readonly Pick<Caller, 'key'>[]
}

const MANY_CALLERS = 256

/** Names of the sides of the warm sections, by the number of accounts that call. */
const OURS = 'get-cve, 10 accounts'
const OURS_MANY = 'get-cve, 1,000 accounts'
/** The service with charges that do not wait for the disk. */
const OURS_OFF = 'get-cve, CHARGE_COMMIT=off'
const CHARGES = 'M, 10 accounts'
const CHARGES_MANY = 'M, 1,000 accounts'

export const warm: Section = async (bench) => {
  const queries = await bench.setup.startBareQueries({})
  const charge = (name: string, activeAccounts: number): Side => ({
    name,
    pids: [queries.pid],
    run: (ms) => queries.run({ name: 'charge', callers: CALLER_COUNT, activeAccounts, ms }),
  })
  const charges = [charge(CHARGES, FEW_ACCOUNTS), charge(CHARGES_MANY, MANY_ACCOUNTS)]
  const turns = await measureWarm(bench, CALLER_COUNT, { charges, withCommitOff: true })
  await queries.stop()
  const compareTotal = (ours: string, charged: string) =>
    computeRatio(turns, (turn) => sumCost(turn(ours)) / (sumCost(turn('F')) + sumCost(turn(charged))))
  return {
    measured: [
      { figure: 'warmTotalCpu', ratio: compareTotal(OURS, CHARGES) },
      { figure: 'warmTotalCpuManyAccounts', ratio: compareTotal(OURS_MANY, CHARGES_MANY) },
      { figure: 'warmCpu', ratio: computeRatio(turns, compareProcessToF) },
      { figure: 'warmThroughput', ratio: computeRatio(turns, compareThroughputToF) },
    ],
    sides: summariseSides('get-cve, warm, 64 callers', turns),
    notes: [formatPriceOfCommit(turns)],
  }
}

/** Compares calls whose charges are committed as in this run with calls whose charges do not wait for the disk. */
function formatPriceOfCommit(turns: Turns): string {
  const format = ({ value, min, max }: Ratio) => `${value.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`
  const throughput = computeRatio(turns, (turn) => turn(OURS).perSecond / turn(OURS_OFF).perSecond)
  const cpu = computeRatio(turns, (turn) => sumCost(turn(OURS)) / sumCost(turn(OURS_OFF)))
  return `Price of CHARGE_COMMIT=${COMMIT} against off: throughput ${format(throughput)}, CPU of process, PostgreSQL and Redis ${format(cpu)}`
}

export const warm256: Section = async (bench) => {
  const turns = await measureWarm(bench, MANY_CALLERS, { charges: [], withCommitOff: false })
  return {
    measured: [
      { figure: 'warmCpu256', ratio: computeRatio(turns, compareProcessToF) },
      { figure: 'warmThroughput256', ratio: computeRatio(turns, compareThroughputToF) },
    ],
    sides: summariseSides('get-cve, warm, 256 callers', turns),
  }
}

const compareProcessToF = (turn: (name: string) => Turn) => turn(OURS).own / turn('F').own
const compareThroughputToF = (turn: (name: string) => Turn) => turn(OURS).perSecond / turn('F').perSecond

interface FurtherSides {
  readonly charges: readonly Side[]
  readonly withCommitOff: boolean
}

async function measureWarm(bench: Bench, callers: number, { charges, withCommitOff }: FurtherSides): Promise<Turns> {
  const { setup, ids } = bench
  const server = await setup.serve()
  const off = withCommitOff ? await setup.serve({ CHARGE_COMMIT: 'off' }) : undefined
  const bare = await setup.startBareFastify(await fetchAnswers(bench, server.port))
  const few = buildRequests({ ids, callers: setup.callers.slice(0, FEW_ACCOUNTS) })
  const many = buildRequests({ ids, callers: setup.callers.slice(0, MANY_ACCOUNTS) })
  const turns = await measureSides(
    bench,
    [
      { name: 'F', servers: [bare], requests: few, callers },
      { name: OURS, servers: [server], requests: few, callers },
      ...(off ? [{ name: OURS_OFF, servers: [off], requests: few, callers }] : []),
      // After a turn of another side, all API keys must be looked up again, and the queue for lookups has a limit.
      { name: OURS_MANY, servers: [server], requests: many, callers, mayRefuse: true },
    ],
    charges,
  )
  await Promise.all([server.stop(), bare.stop(), off?.stop()])
  return turns
}

export const gzip: Section = async (bench) => {
  const { setup, ids } = bench
  const source = { ids, callers: setup.callers.slice(0, FEW_ACCOUNTS) }
  const server = await setup.serve()
  const turns = await measureSides(bench, [
    { name: 'identity', servers: [server], requests: buildRequests(source) },
    { name: 'gzip', servers: [server], requests: buildRequests(source, 'Accept-Encoding: gzip\r\n') },
  ])
  await server.stop()
  return {
    measured: [
      { figure: 'gzip', ratio: computeRatio(turns, (turn) => turn('gzip').perSecond / turn('identity').perSecond) },
    ],
    sides: summariseSides('get-cve, gzip', turns),
  }
}

export const cold: Section = async (bench) => {
  const { setup, ids } = bench
  const requests = buildRequests({ ids, callers: setup.callers.slice(0, FEW_ACCOUNTS) })
  const server = await setup.serve({ CVE_CACHE_MB: '0' })
  const bare = await setup.startBareFastify(await fetchAnswers(bench, server.port))
  const queries = await setup.startBareQueries({ record: await Promise.all(ids.map(captureRecordStatement)) })
  const createQuerySide = (name: string, task: string): Side => ({
    name,
    pids: [queries.pid],
    run: (ms) => queries.run({ name: task, callers: CALLER_COUNT, activeAccounts: FEW_ACCOUNTS, ms }),
  })
  const turns = await measureSides(
    bench,
    [
      { name: 'F', servers: [bare], requests },
      { name: 'get-cve, cold', servers: [server], requests },
    ],
    [createQuerySide('P', 'record'), createQuerySide('M', 'charge')],
  )
  await Promise.all([server.stop(), bare.stop(), queries.stop()])
  const sumBaselines = (turn: (name: string) => Turn) => sumCost(turn('F')) + sumCost(turn('P')) + sumCost(turn('M'))
  return {
    measured: [
      { figure: 'coldCpu', ratio: computeRatio(turns, (turn) => sumCost(turn('get-cve, cold')) / sumBaselines(turn)) },
    ],
    sides: summariseSides('get-cve, cold', turns),
  }
}

/** Headers that Node.js adds to every answer itself, in the service and in F. */
const HEADERS_OF_NODE = new Set(['connection', 'content-length', 'date', 'keep-alive'])

async function fetchAnswers(
  { ids, setup: { callers } }: Bench,
  port: number,
): Promise<ReadonlyMap<string, BareAnswer>> {
  const answers = new Map<string, BareAnswer>()
  for (const id of ids) {
    const answer = await fetch(`http://127.0.0.1:${port}${buildPath(id)}`, {
      headers: { 'X-API-Key': callers[0]?.key ?? '', 'Accept-Encoding': 'identity' },
    })
    if (answer.status !== 200) throw new Error(`${id} was answered with ${answer.status}: ${await answer.text()}`)
    const headers = [...answer.headers].filter(([name]) => !HEADERS_OF_NODE.has(name))
    answers.set(buildPath(id), {
      headers: Object.fromEntries(headers),
      body: Buffer.from(await answer.arrayBuffer()),
    })
  }
  return answers
}

const captureRecordStatement = (id: string): Promise<Statement> =>
  captureStatement((db) => readRecord(db, requireCveKey(id)))
