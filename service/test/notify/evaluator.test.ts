import { beforeEach, describe, expect, it } from 'vitest'
import { configuration, cpe, nvdRating, nvdRecord } from '../catalog/source-fixtures.ts'
import { createWatchHarness, type ToldEvent } from './watch-harness.ts'

const harness = await createWatchHarness()
const ID = 'CVE-2026-1000'
const HIGH = { metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] } }
let account = 0

beforeEach(async () => {
  await harness.reset()
  await harness.resetWatches()
  account = await harness.createAccount()
  // So that the first changes of a test are not those of a first load.
  await publish('CVE-2026-9000')
  await harness.judge()
})

async function publish(id: string, changes: object = {}): Promise<void> {
  await harness.storeRecord('nvd', id, nvdRecord(id, { ...changes }))
  await harness.publish()
}

const ofProduct = (product: string) => ({
  configurations: [configuration([{ criteria: cpe(product), versionEndExcluding: '2.4' }])],
})

const describeEvent = ({ subject, kinds, enteredBy }: ToldEvent) =>
  `${subject}: ${kinds.join(', ')}${enteredBy.length > 0 ? ` by ${enteredBy.join(', ')}` : ''}`
const readTold = async () => (await harness.readEvents()).map(describeEvent)

describe('A watch tells', () => {
  it('that a new CVE enters', async () => {
    await harness.createWatch(account, 'severity_min=7')
    await publish(ID)
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by published`])
  })

  it('which filters let a CVE enter, also days after its publication, and that it leaves', async () => {
    await harness.createWatch(account, 'product_vendor=examplesoft&product=switch&severity_min=9')
    await publish(ID)
    await publish(ID, ofProduct('switch'))
    await publish(ID, { ...ofProduct('switch'), ...HIGH })
    await publish(ID, { ...ofProduct('switch'), ...HIGH, descriptions: [{ lang: 'en', value: 'Another text.' }] })
    await publish(ID, HIGH)
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by severity_min`, `${ID}: left`])
  })

  it('that words enter a description', async () => {
    await harness.createWatch(account, 'q=zeppelin')
    await publish(ID)
    await publish(ID, { descriptions: [{ lang: 'en', value: 'A flaw in the Zeppelin.' }] })
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by q`])
  })

  it('that a CVE inside becomes exploited, once by each catalog', async () => {
    await publish(ID)
    await harness.storeKev([])
    await harness.storeEuKev({})
    await harness.publish()
    await harness.createWatch(account, 'severity_min=7')
    await harness.storeKev([{ cveId: ID, knownRansomware: false }])
    await harness.publish()
    await harness.storeEuKev({ [ID]: '2026-08-21' })
    await harness.publish()
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: exploited`, `${ID}: exploited`])
  })

  it('that an EPSS score crosses a bound in small steps', async () => {
    await harness.storeEpss('2026-08-20', { [ID]: 0.48, 'CVE-2026-9000': 0.1 })
    await publish(ID)
    await harness.createWatch(account, 'epss_min=0.5')
    for (const [day, score] of [
      ['2026-08-21', 0.49],
      ['2026-08-22', 0.51],
      ['2026-08-23', 0.52],
      ['2026-08-24', 0.49],
    ] as const) {
      await harness.storeEpss(day, { [ID]: score, 'CVE-2026-9000': 0.1 })
      await harness.publish()
    }
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by epss_min`, `${ID}: left`])
  })

  it('what it was asked for and no more', async () => {
    await harness.storeEpss('2026-08-20', { [ID]: 0.1 })
    await publish(ID)
    await harness.createWatch(account, 'severity_min=7', ['epss_rise', 'score_changed'])
    await harness.createWatch(account, '', ['epss_fall'])
    await harness.storeEpss('2026-08-21', { [ID]: 0.3 })
    await harness.publish()
    await publish(ID, HIGH)
    await publish('CVE-2026-1001', HIGH)
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: epss_rise`, expect.stringContaining(`${ID}: score_changed`)])
  })

  it('what a record was after the change', async () => {
    await harness.createWatch(account, 'severity_min=7')
    await publish(ID)
    await publish(ID, HIGH)
    await harness.judge()
    const [news] = await harness.selectRows<Record<string, unknown>>(
      'select subject, types, diff, record from notify.news',
    )
    expect(news).toEqual({
      subject: ID,
      types: ['published'],
      diff: expect.any(Object),
      record: {
        severity: 7.5,
        epss_score: null,
        in_kev: false,
        in_eu_kev: false,
        ransomware: false,
        priority_level: 'P3',
        exploit_maturity: 'none',
        has_fix: expect.any(Boolean),
        status: 'Analyzed',
        products: [{ vendor: 'examplesoft', product: 'router' }],
        product_count: 1,
      },
    })
  })

  it('nothing while the time passes, with days that are relative to the change', async () => {
    await publish(ID, { published: new Date(Date.now() - 6.5 * 86_400_000).toISOString().slice(0, 23) })
    await harness.createWatch(account, 'published_after=today-7d')
    await publish(ID, HIGH)
    await harness.judge()
    expect(await readTold()).toEqual([])
  })
})

describe('Events', () => {
  it('are numbered by account without gaps, in the order of the log', async () => {
    const other = await harness.createAccount()
    const first = await harness.createWatch(account, 'severity_min=7')
    const second = await harness.createWatch(account, 'q=router')
    await harness.createWatch(other, 'severity_min=7')
    await publish(ID)
    await harness.judge()
    await publish('CVE-2026-1001')
    await harness.judge()
    const told = (await harness.readEvents()).map(({ account: owner, nr, watch, subject }) => [
      owner,
      nr,
      watch,
      subject,
    ])
    expect(told).toEqual([
      [account, 1, first, ID],
      [account, 2, second, ID],
      [account, 3, first, 'CVE-2026-1001'],
      [account, 4, second, 'CVE-2026-1001'],
      [other, 1, expect.any(Number), ID],
      [other, 2, expect.any(Number), 'CVE-2026-1001'],
    ])
  })

  it('are marked if the account decided about the CVE in this watch', async () => {
    const [muted] = [
      await harness.createWatch(account, 'severity_min=7'),
      await harness.createWatch(account, 'q=router'),
    ]
    await harness.selectRows(`
      with entry as (
        insert into accounts.triage_entry (account_id, cve_id, kind, scope, versions, revision)
        values (${account}, '${ID}', 'watch', 'watch:${muted}', '', 1)
        returning id
      )
      insert into accounts.triage_revision (entry_id, revision, actor, state, until, unless, level)
      select id, 1, 'key:1', 'accepted', current_date + 30, '{exploited}', 'P3' from entry`)
    await publish(ID)
    await harness.judge()
    await harness.storeKev([])
    await harness.publish()
    await harness.storeKev([{ cveId: ID }])
    await harness.publish()
    await harness.judge()
    const told = (await harness.readEvents()).map(({ watch, kinds, isMuted }) => [watch === muted, ...kinds, isMuted])
    expect(told).toEqual([
      [true, 'entered', true],
      [false, 'entered', false],
      [true, 'exploited', false],
      [false, 'exploited', false],
    ])
  })

  it('are the same however the log is cut, and however many fit into a transaction', async () => {
    const others = [await harness.createAccount(), await harness.createAccount()]
    for (const owner of [account, ...others]) {
      await harness.createWatch(owner, 'severity_min=9')
      await harness.createWatch(owner, 'product_vendor=examplesoft', ['entered', 'left', 'updated', 'score_changed'])
    }
    const spans = await harness.selectRows('select * from notify.watch_span')
    const [start] = await harness.selectRows<{ seq: string; tag: string }>('select seq, tag from notify.evaluator')
    for (const id of [ID, 'CVE-2026-1001', 'CVE-2026-1002']) {
      await publish(id)
      await publish(id, HIGH)
      await publish(id)
    }
    const judgeWith = async (limits: object) => {
      await harness.selectRows(`
        truncate notify.event, notify.news, notify.inbox, notify.watch_span;
        update notify.evaluator set seq = ${start?.seq}, tag = ${start?.tag};
        insert into notify.watch_span
        select * from jsonb_populate_recordset(null::notify.watch_span, '${JSON.stringify(spans)}')`)
      harness.restart()
      const results = await harness.judge(limits)
      return { events: await harness.readEvents(), rounds: results.length }
    }
    const whole = await judgeWith({})
    expect(whole.events.length).toBe(3 * 3 * 5)
    expect(await judgeWith({ maxRows: 1 })).toEqual({ events: whole.events, rounds: 9 })
    const portions = await judgeWith({ maxEvents: 20 })
    expect(portions.events).toEqual(whole.events)
    expect(portions.rounds).toBeGreaterThan(2)
    const tiny = await judgeWith({ maxEvents: 2, maxRows: 4 })
    expect(tiny.events).toEqual(whole.events)
  })
})

describe('A watch that is changed', () => {
  it('is judged by each revision for its own changes, also if the evaluator meets them later', async () => {
    const watch = await harness.createWatch(account, 'product=switch')
    await publish(ID, ofProduct('switch'))
    await harness.changeWatch(watch, 'product=router')
    await publish('CVE-2026-1001', ofProduct('switch'))
    await publish('CVE-2026-1002', ofProduct('router'))
    await harness.removeWatch(watch)
    await publish('CVE-2026-1003', ofProduct('router'))
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by published`, 'CVE-2026-1002: entered by published'])
    expect(await harness.selectRows('select from notify.watch_span')).toEqual([])
  })

  it('begins at its own position if the evaluator is already further', async () => {
    await harness.createWatch(account, 'severity_min=9')
    const [before] = await harness.selectRows<{ seq: string; tag: string }>('select seq, tag from notify.evaluator')
    await publish(ID)
    await harness.judge()
    // A node that has not yet seen the newest change.
    await harness.selectRows(`
      with saved as (
        insert into accounts.view (account_id, is_shared, name, query, kinds)
        values (${account}, true, 'late', 'severity_min=7', '{entered}')
        returning *
      )
      select notify.begin_span(id, revision, account_id, query, kinds, ${before?.seq}, ${before?.tag}) from saved`)
    expect(await readTold()).toEqual([])
    await publish('CVE-2026-1001')
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: entered by published`, 'CVE-2026-1001: entered by published'])
  })

  it('ends where it was judged to, even if its node is behind', async () => {
    const watch = await harness.createWatch(account, 'severity_min=7')
    const [before] = await harness.selectRows<{ seq: string; tag: string }>('select seq, tag from notify.evaluator')
    await publish(ID)
    await harness.judge()
    const [ended] = await harness.selectRows<{ seq: string }>(
      `select seq from notify.end_span(${watch}, ${before?.seq}, ${before?.tag})`,
    )
    const [after] = await harness.selectRows<{ seq: string }>('select seq from notify.evaluator')
    expect(ended).toEqual(after)
    expect(BigInt(ended?.seq ?? 0)).toBeGreaterThan(BigInt(before?.seq ?? 0))
  })
})

describe('A change of our own', () => {
  const ENDS_AT_ONCE = { waveEndMs: -1 }

  /** The records stay, but were merged by other rules, which gave another score. */
  async function changeRules(ids: readonly string[]): Promise<void> {
    await harness.selectRows(`
      update catalog.cve set score = 3, content_hash = '' where catalog.cve_id(cve_key) in ('${ids.join("', '")}');
      update catalog.resolver_inputs set resolver_version = 'old'`)
    await harness.publish()
  }

  it('gives one event with counts, and none of a single CVE', async () => {
    const ids = Array.from({ length: 25 }, (_, n) => `CVE-2026-${2000 + n}`)
    for (const id of ids) await harness.storeRecord('nvd', id, nvdRecord(id))
    await harness.publish()
    await harness.judge()
    await harness.createWatch(account, 'severity_min=7', ['entered', 'left', 'score_changed'])
    await harness.createWatch(account, 'severity_min=9')
    await changeRules(ids)
    await harness.judge()
    expect(await harness.readEvents()).toEqual([])
    await harness.judge(ENDS_AT_ONCE)
    const events = await harness.readEvents()
    expect(events).toMatchObject([
      {
        type: 'recalculated',
        subject: null,
        kinds: [],
        detail: { cause: 'rules', entered: 25, left: 0, entered_levels: { P3: 25 }, left_levels: {}, left_ids: [] },
      },
    ])
    expect(events[0]?.detail?.['entered_ids']).toEqual(ids.slice(0, 20))
    expect(await harness.judge(ENDS_AT_ONCE)).toEqual(['idle'])
  })

  it('is one event for the whole wave, however the log is cut', async () => {
    const ids = Array.from({ length: 5 }, (_, n) => `CVE-2026-${2000 + n}`)
    for (const id of ids) await harness.storeRecord('nvd', id, nvdRecord(id))
    await harness.publish()
    await harness.judge()
    await harness.createWatch(account, 'severity_min=7')
    await changeRules(ids)
    await harness.judge({ maxRows: 1 })
    harness.restart()
    await changeRules(ids.slice(0, 2))
    await harness.judge({ ...ENDS_AT_ONCE, maxRows: 2 })
    const events = await harness.readEvents()
    expect(events.map(({ detail }) => [detail?.['entered'], detail?.['left']])).toEqual([[7, 0]])
  })

  it('tells of exploitation all the same', async () => {
    await publish(ID)
    await harness.storeKev([])
    await harness.publish()
    await harness.judge()
    await harness.createWatch(account, 'severity_min=7', ['entered', 'exploited', 'kev_added'])
    await harness.storeKev([{ cveId: ID }])
    await harness.publish()
    await harness.selectRows("update catalog.change set cause = 'rules' where 'kev_added' = any (types)")
    await harness.judge()
    expect(await readTold()).toEqual([`${ID}: exploited`])
  })
})
