// Puts 900,000 characters into every string of every feed's sample records (decision E42).
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { rebuild } from '../../../service/src/catalog/publish/rebuild.ts'
import { auditCatalog } from '../../../service/src/catalog/reports/audit/audit.ts'
import { publishNow } from '../../../service/src/commands/publish-now.ts'
import { loadConfig } from '../../../service/src/config.ts'
import { openPool } from '../../../service/src/database/postgres.ts'
import { openSession } from '../../../service/src/database/session.ts'
import { limitRecord, TRUNCATION_MARK } from '../../../service/src/domain/source/limit-record.ts'
import { findUpstreamLimits } from '../../../service/src/domain/source/upstream-limits.ts'
import { type RunReport, runFeed } from '../../../service/src/feeds/engine/run.ts'
import { type Delivery, type Feed, isRejected } from '../../../service/src/feeds/feed.ts'
import { TOO_MANY_REJECTIONS } from '../../../service/src/feeds/guard.ts'
import { feedDefinitions } from '../../../service/src/feeds/index.ts'
import { listTexts, readText, replaceText, type TextPath } from '../../../service/test/feeds/text-leaves.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { startTestService } from '../../../service/test/support/service.ts'

const SAMPLE = fileURLToPath(new URL('../../../service/sample', import.meta.url))
/** 900,000 code units. The characters turn the direction of text and need two code units each. */
const LONG_TEXT = `\u202e\u2066${'😀'.repeat(449_999)}`
/** The largest row in the sample is 31 kB; a row with every string at its maximum must stay within this limit. */
const MAX_ROW_BYTES = 3 * 1024 * 1024
const LIMITS = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

const feeds = feedDefinitions.map((definition) => definition.configure({}).feed)
const { api, clock, environment, given } = await startTestService()
const enterprise = createTestKey()
await given(account('enterprise').withKey(enterprise))

interface Loaded {
  readonly feed: Feed
  readonly deliveries: readonly SampleDelivery[]
}

interface SampleDelivery {
  readonly delivery: Delivery<unknown>
  readonly raws: readonly unknown[]
}

const loaded: Loaded[] = []

beforeAll(async () => {
  for (const feed of feeds) loaded.push({ feed, deliveries: await readSample(feed) })
})

async function readSample(feed: Feed): Promise<SampleDelivery[]> {
  const deliveries: SampleDelivery[] = []
  const context = {
    cursor: undefined,
    now: clock.now(),
    from: SAMPLE,
    download: { file: () => Promise.reject(new Error('this test has no network')) },
    spool: await mkdtemp(join(tmpdir(), 'vis-limits-')),
    signal: new AbortController().signal,
    notice: () => {},
  }
  for await (const delivery of feed.fetch(context)) {
    const raws: unknown[] = []
    for await (const reading of delivery.records(() => {})) if (!isRejected(reading)) raws.push(reading.raw)
    deliveries.push({ delivery, raws })
  }
  return deliveries
}

/**
 * Returns the stored form of a record: the size of its row and the names of truncated values, or why the record is
 * rejected.
 */
function store(feed: Feed, raw: unknown) {
  const { record, truncated, excess } = limitRecord(raw, findUpstreamLimits(feed.name))
  const row = feed.normalise(record, clock.now())
  if (isRejected(row)) return { rejected: row.reason }
  if (excess !== undefined) return { rejected: excess }
  const values = feed.store.toCopyValues(row, truncated)
  return { truncated, text: JSON.stringify(values.filter((each) => !(each instanceof Buffer))) }
}

/** Names of the members that lead to a text. */
const describePath = (path: TextPath) => path.filter((each) => typeof each === 'string').join('/')

/** Strings that the feed itself read or validated before it yields a record. */
const isDerived = (path: TextPath) => ['release', 'header', 'day', 'model', 'type'].includes(String(path[0]))

/** Tries each string in the samples alone: is it cut, or does its length make the feed reject the record? */
function tryTexts({ feed, deliveries }: Loaded): ReadonlyMap<string, 'cut' | 'rejected'> {
  const outcomes = new Map<string, 'cut' | 'rejected'>()
  for (const raw of deliveries.flatMap(({ raws }) => raws))
    for (const path of listTexts(raw)) {
      if (isDerived(path) || outcomes.has(describePath(path))) continue
      const stored = store(feed, replaceText(raw, path, LONG_TEXT))
      outcomes.set(describePath(path), 'rejected' in stored ? 'rejected' : 'cut')
      if ('rejected' in stored) continue
      expect([describePath(path), stored.truncated.length]).toEqual([describePath(path), 1])
      expect(stored.text.isWellFormed()).toBe(true)
      expect(stored.text.length).toBeLessThan(MAX_ROW_BYTES)
    }
  return outcomes
}

describe('A single text of 900,000 characters', () => {
  it.each(feeds.map(({ name }) => name))(
    'is truncated, or makes the feed %s reject the record, in every member',
    (name) => {
      const found = loaded.find(({ feed }) => feed.name === name)
      expect(found && tryTexts(found).size).toBeGreaterThan(2)
    },
  )
})

describe('Records with 900,000 characters in every text that may be truncated', { timeout: 600_000 }, () => {
  const reports: RunReport[] = []
  const pool = openPool(environment['DATABASE_URL'] ?? '', 'limits', LIMITS, () => {})
  const config = loadConfig(environment)
  const screen = { write: () => true }
  cleanUpAfterTests(() => pool.close())

  beforeAll(async () => {
    for (const each of loaded) reports.push(await runFat(each))
    const published = await publishNow(config, { clock: clock.now, signal: new AbortController().signal, screen })
    expect(published).toMatchObject({ setAside: 0 })
  }, 600_000)

  async function runFat(sample: Loaded): Promise<RunReport> {
    const { feed, deliveries } = sample
    const outcomes = tryTexts(sample)
    const fat: Feed = {
      ...feed,
      fetch: async function* () {
        for (const { delivery, raws } of deliveries)
          yield {
            ...delivery,
            records: async function* () {
              for (const raw of raws) yield { raw: fatten(raw, outcomes) }
            },
          }
      },
    }
    const session = openSession(environment['DATABASE_URL'] ?? '', 'limits')
    try {
      return await runFeed(fat, {
        session,
        control: pool.db,
        openDownload: () => ({ file: () => Promise.reject(new Error('this test has no network')) }),
        clock: clock.now,
        holder: 'a test',
        from: undefined,
        allowed: new Set([TOO_MANY_REJECTIONS]),
        signal: new AbortController().signal,
      })
    } finally {
      await session.close()
    }
  }

  /** Short strings stay as they are: a description is used only if its language is `en`. */
  function fatten(raw: unknown, outcomes: ReadonlyMap<string, string>): unknown {
    const isCut = (path: TextPath) => outcomes.get(describePath(path)) === 'cut' && readText(raw, path).length > 3
    return listTexts(raw)
      .filter(isCut)
      .reduce((fat, path) => replaceText(fat, path, LONG_TEXT), raw)
  }

  it('are stored by every feed, which counts each of them as truncated', async () => {
    // Each string in these feeds is an id, a version, a date, a number or a word; if it is too long, the record is
    // rejected.
    const hasOnlyWords = ({ feed }: RunReport) => feed.startsWith('epss') || feed === 'debian'
    for (const report of reports)
      expect(report).toMatchObject({
        outcome: 'succeeded',
        error: null,
        rejected: 0,
        truncated: hasOnlyWords(report) ? 0 : report.read,
      })
    const { rows } = await sql<{ feed: string; count: string }>`
      select feed, truncated_count as count
        from source.feed_run
    `.execute(pool.db)
    for (const { feed, count } of rows)
      expect([feed, Number(count)]).toEqual([feed, reports.find((each) => each.feed === feed)?.truncated])
  })

  it('lead to records and responses of a bounded size, which say what is truncated', async () => {
    const id = 'CVE-2021-44228'
    const { json } = await api.get(`/api/v1/cve/${id}?include=sources,exploits,acsc,enrichment,attack`)

    expect(JSON.stringify(json).length).toBeLessThan(1024 * 1024)
    const { cve } = json.data
    expect(cve.description.endsWith(TRUNCATION_MARK)).toBe(true)
    const { description, kev, exploits } = cve.sources
    expect(description.from[0]).toMatchObject({ source: 'nvd', truncated: true })
    expect(kev.from).toEqual([expect.objectContaining({ source: 'cisa-kev', truncated: true })])
    expect(exploits.from.every((each: { truncated?: true }) => each.truncated)).toBe(true)
  })

  it.each(['/api/v1/cves?limit=100', '/api/v1/kev', '/api/v1/cve/CVE-2021-44228/detail?vendor=nvd'])(
    'lead to a response of a bounded size for %s',
    async (path) => {
      const { status, json } = await api.get(path, { key: enterprise.key })
      expect(status).toBe(200)
      // 100 records with every string at its maximum.
      expect(JSON.stringify(json).length).toBeLessThan(24 * 1024 * 1024)
    },
  )

  it('are counted by the catalog audit', async () => {
    const { checks, cves } = await auditCatalog(pool.db, { maxExamples: 1 })

    expect(checks.find(({ id }) => id === 'truncated')).toMatchObject({ count: cves, isInformation: true })
  })

  it('are truncated at publication if they were stored before the limits existed', async () => {
    const id = 'CVE-2021-44228'
    await sql`
      update source.source_record
         set record = jsonb_set(record::jsonb, '{descriptions,0,value}', to_jsonb(${`Stored before. ${LONG_TEXT}`}::text))::text,
             truncated = null
       where source = 'nvd'
         and cve_id = ${id}
    `.execute(pool.db)
    await publishNow(config, { clock: clock.now, signal: new AbortController().signal, screen, work: rebuild })

    const readCve = async () => (await api.get(`/api/v1/cve/${id}?include=sources`)).json.data.cve
    await expect.poll(async () => (await readCve()).description.slice(0, 14)).toBe('Stored before.')
    const cve = await readCve()
    expect(cve.description.length).toBeLessThanOrEqual(40_000)
    expect(cve.sources.description.from[0]).toMatchObject({ source: 'nvd', truncated: true })
  })
})
