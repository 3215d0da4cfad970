// Loads a generated history of NVD's changes from a played API, with kills, and compares the answers for random days
// before the installation with what the generator knows.
import { expect, it } from 'vitest'
import { createCatalogHarness } from '../../../../service/test/catalog/catalog-setup.ts'
import { createDice } from '../../../../service/test/support/generator/dice.ts'
import { startMeasuredCommand } from '../../../../service/test/support/processes/measured-command.ts'
import { startTestService } from '../../../../service/test/support/service.ts'
import { chooseBySize } from '../../../../service/test/support/size.ts'
import { createLife, LAST, type LifeState } from './life.ts'
import { playHistoryApi } from './play-api.ts'

const PLAN = chooseBySize({
  short: { cves: 200, changesPerCve: 6, samples: 60, kills: 1, timeoutMs: 120_000 },
  long: { cves: 333_334, changesPerCve: 6, samples: 1000, kills: 12, timeoutMs: 7_200_000 },
})
const MAX_MEGABYTES = 512
/** The settings of the worker's process in the image. */
const NODE_OPTIONS = '--max-semi-space-size=16 --max-old-space-size=1024'
const DAY_MS = 86_400_000

const service = await startTestService({ environment: { CVE_CACHE_MB: '0' } })
const catalog = await createCatalogHarness(service.database.url)
const nvd = await playHistoryApi(PLAN)

const ENVIRONMENT = {
  ...process.env,
  NODE_ENV: 'test',
  NODE_OPTIONS,
  DATABASE_URL: service.database.url,
  FEEDS_PRIVATE_HOSTS: nvd.host,
  FEED_NVD_HISTORY_API_URL: nvd.url,
  FEED_NVD_HISTORY_PAGES_PER_RUN: '1000',
  FEED_NVD_HISTORY_PAUSE_MS: '0',
}

interface Load {
  readonly peaks: readonly number[]
  readonly kills: number
  readonly failures: number
}

const sync = (now: string) => startMeasuredCommand(['sync', 'nvd-history', '--no-publish', '--now', now], ENVIRONMENT)

async function readStored() {
  const [stored] = await catalog.selectRows<{ changes: number; cves: number; bytes: number }>(`
    select sum(json_array_length(changes::json))::integer as changes, count(*)::integer as cves,
           pg_total_relation_size('source.nvd_history')::float as bytes
      from source.nvd_history
  `)
  return stored
}

async function readOldest(): Promise<string | undefined> {
  const [extent] = await catalog.selectRows<{ oldest: Date }>('select oldest from catalog.nvd_history_extent')
  return extent?.oldest.toISOString()
}

/** Runs the feed until the history is complete, and kills it at random times. */
async function loadWithKills(): Promise<Load> {
  const dice = createDice(49)
  const peaks: number[] = []
  let [kills, failures] = [0, 0]
  for (let runs = 0; (await readOldest()) !== '2015-01-01T00:00:00.000Z'; runs += 1) {
    if (runs > 400) throw new Error('the history is not complete after 400 runs')
    const run = sync('2026-08-22T00:00:00Z')
    const isKilled = runs > 0 && kills < PLAN.kills
    const timer = isKilled ? setTimeout(run.kill, 2000 + dice.below(PLAN.timeoutMs / 400)) : undefined
    const { code, peakMegabytes } = await run.ended
    clearTimeout(timer)
    peaks.push(peakMegabytes)
    if (code === null) kills += 1
    else if (code !== 0) failures += 1
    await catalog.selectRows("update source.feed set lease_until = '-infinity'")
  }
  return { peaks, kills, failures }
}

function describeExpected(state: LifeState) {
  return {
    description: state.description,
    vector: state.vector === null ? null : `CVSS:3.1/${state.vector}`,
    cwes: state.cwes.map((cwe) => `CWE-${cwe}`),
    references: state.references.toSorted(),
    fixedIn: state.fixedIn === null ? [] : [state.fixedIn],
  }
}

async function readAnswer(id: string, day: string) {
  const { status, json } = await service.api.get(`/api/v1/cve/${id}/as-of/${day}`)
  if (status !== 200) return status
  const { description, enrichment, references, cpe } = json.data.record
  return {
    description,
    vector: enrichment.cvss_vector,
    cwes: enrichment.cwe_list,
    references: references?.map(({ url }: { readonly url: string }) => url).toSorted(),
    fixedIn: cpe?.map((match: { readonly versionEndExcluding?: string }) => match.versionEndExcluding),
  }
}

async function compareDays(): Promise<readonly string[]> {
  const dice = createDice(50)
  const numbers = [...new Set(Array.from({ length: PLAN.samples }, () => dice.below(PLAN.cves)))]
  const lives = numbers.map((number) => createLife(number, PLAN.changesPerCve))
  for (const { id, record } of lives) await catalog.storeRecord('nvd', id, record)
  await catalog.publish()
  await catalog.selectRows("update catalog.past_start set complete_since = '2026-08-21T00:00:00Z'")
  const differences: string[] = []
  for (const { id, states } of lives) {
    const first = states[0]?.at ?? 0
    const day = new Date(first + dice.below(LAST - first)).toISOString().slice(0, 10)
    const end = Date.parse(day) + DAY_MS
    const expected = states.findLast(({ at }) => at < end)?.state
    const answer = await readAnswer(id, day)
    if (JSON.stringify(answer) !== JSON.stringify(expected ? describeExpected(expected) : 404))
      differences.push(`${id} on ${day}: ${JSON.stringify(answer)}`)
  }
  return differences
}

it(
  `loads ${PLAN.cves * PLAN.changesPerCve} changes despite kills and bad pages, and answers for days before the installation`,
  async () => {
    const startedAt = performance.now()
    const load = await loadWithKills()
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    nvd.listLate()
    while ((await readStored())?.changes !== PLAN.cves * PLAN.changesPerCve)
      expect([0, 1]).toContain((await sync('2026-08-22T07:00:00Z').ended).code)
    const stored = await readStored()
    const peak = Math.round(Math.max(...load.peaks))
    console.info(JSON.stringify({ ...load, peaks: peak, ...stored, seconds, requests: nvd.countRequests() }))
    expect(stored?.cves).toBe(PLAN.cves)
    // A run that ends before its time was not killed.
    expect(load.kills).toBeGreaterThan(0)
    expect(peak).toBeLessThan(MAX_MEGABYTES)
    expect(await compareDays()).toEqual([])
  },
  PLAN.timeoutMs,
)
