// How much of upstream's own index a data set holds, and how old data without a date is (decision E29).
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { isComplete } from '../../../src/domain/source/data-age.ts'
import { debianFeed } from '../../../src/feeds/sources/debian/feed.ts'
import { createFakeFeed, type FakeDelivery, type FakeRecord } from '../fake-feed.ts'
import { createFeedHarness } from '../feed-harness.ts'
import { writeTemporaryDirectory } from '../temporary-files.ts'

const { run, selectRows, reset } = await createFeedHarness()

beforeEach(reset)

const UPSTREAM_AT = new Date('2026-08-20T00:00:00Z')
const record = (id: number): FakeRecord => ({ id: `CVE-2024-${1000 + id}`, modified: '2026-08-01T00:00:00Z' })
const UNUSABLE = { id: 'unusable' }
const slice = { first: 'CVE-2024-0000', last: 'CVE-2024-9999' }

const deliver = (...deliveries: readonly FakeDelivery[]) =>
  run(createFakeFeed(deliveries.map((each) => ({ upstreamAt: UPSTREAM_AT, ...each }))))
const importFiles = async (counts: object | undefined, ...items: readonly FakeRecord[]) => {
  const from = await writeTemporaryDirectory(counts ? { 'upstream-counts.json': JSON.stringify(counts) } : {})
  return run(createFakeFeed([{ kind: 'snapshot', items, upstreamAt: UPSTREAM_AT }]), { from })
}

async function readExtent(name = 'nvd') {
  const [row] = await selectRows<{ held: number; index: number | null; unheld: number }>(
    `select table_count::int as held, index_count::int as index, unheld_count::int as unheld
       from catalog.dataset where name = '${name}'`,
  )
  if (row === undefined) throw new Error('There is no such data set.')
  return { ...row, complete: isComplete({ indexCount: row.index, unheldCount: row.unheld }) }
}

describe('A data set', () => {
  it("is complete after a snapshot of upstream's whole database, and stays so with changes", async () => {
    await deliver({ kind: 'snapshot', items: [record(1), record(2), record(2)] })
    expect(await readExtent()).toEqual({ held: 2, index: 2, unheld: 0, complete: true })
    await deliver({ items: [record(2), record(3)] })
    expect(await readExtent()).toEqual({ held: 3, index: 3, unheld: 0, complete: true })
  })

  it('is incomplete while a record could not be used, until a snapshot without such a record', async () => {
    const items = Array.from({ length: 200 }, (_, index) => record(index))
    await deliver({ kind: 'snapshot', items: [...items, UNUSABLE] })
    expect(await readExtent()).toEqual({ held: 200, index: 201, unheld: 1, complete: false })
    await deliver({ items: [record(500)] })
    expect(await readExtent()).toEqual({ held: 201, index: 202, unheld: 1, complete: false })
    await deliver({ kind: 'snapshot', items: [...items, record(500)] })
    expect(await readExtent()).toMatchObject({ index: 201, complete: true })
  })

  it('is incomplete after a change that could not be used', async () => {
    const items = Array.from({ length: 200 }, (_, index) => record(index))
    await deliver({ kind: 'snapshot', items })
    await deliver({ items: [...items, UNUSABLE] })
    expect(await readExtent()).toEqual({ held: 200, index: 201, unheld: 1, complete: false })
  })

  it("is not complete after parts of upstream's database, unless upstream then states its count", async () => {
    await deliver({ kind: 'snapshot', slice, items: [record(1)] }, { items: [record(2)] })
    expect(await readExtent()).toMatchObject({ held: 2, index: null, complete: false })
    await deliver({ kind: 'snapshot', slice, items: [record(1), record(2)], indexCount: 2 })
    expect(await readExtent()).toMatchObject({ index: 2, complete: true })
  })

  it('is not complete if a part of it could not be used, although upstream states its count', async () => {
    const items = Array.from({ length: 200 }, (_, index) => record(index))
    await deliver({ kind: 'snapshot', slice, items: [...items, UNUSABLE], indexCount: 201 })
    expect(await readExtent()).toEqual({ held: 200, index: 201, unheld: 1, complete: false })
  })

  it('from a directory is never complete, not even after a complete download', async () => {
    await deliver({ kind: 'snapshot', items: [record(1), record(2)] })
    await importFiles(undefined, record(1), record(2))
    expect(await readExtent()).toMatchObject({ index: null, complete: false })
  })

  it("from a directory is complete if it holds as many records as the operator's file of counts states", async () => {
    await importFiles({ nvd: 2 }, record(1), record(2))
    expect(await readExtent()).toEqual({ held: 2, index: 2, unheld: 0, complete: true })
    await importFiles({ nvd: { records: 4, as_of: '2026-08-01T00:00:00Z' } }, record(1), record(2))
    expect(await readExtent()).toEqual({ held: 2, index: 4, unheld: 2, complete: false })
    await importFiles({ kev: 2 }, record(1), record(2))
    expect(await readExtent()).toMatchObject({ index: null, complete: false })
  })

  it('is not imported beside a file of counts that cannot be read', async () => {
    expect(await importFiles({ nvd: 'all' }, record(1))).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('upstream-counts.json must map feeds to record counts'),
    })
  })
})

const readAge = (name: string) =>
  selectRows(`select upstream_at as at, as_of_basis as basis from catalog.dataset where name = '${name}'`)

const TRACKER = JSON.stringify({
  wget: { 'CVE-2024-1000': { releases: { bookworm: { status: 'open', repositories: {}, urgency: 'low' } } } },
})
const tracker = debianFeed({ url: 'https://unused.example/' })

describe('The age of a data set', () => {
  it("is that of upstream's release, else of its newest record", async () => {
    await deliver({ items: [record(1)] })
    expect(await readAge('nvd')).toEqual([{ at: UPSTREAM_AT, basis: 'released' }])
    await reset()
    await run(createFakeFeed([{ items: [record(1)] }]))
    expect(await readAge('nvd')).toEqual([{ at: new Date('2026-08-01T00:00:00Z'), basis: 'newest_record' }])
  })

  it('is that of the delivery if neither has a date: the time of the file, or the one that the operator states', async () => {
    const from = await writeTemporaryDirectory({ 'debian-tracker.json.gz': gzipSync(TRACKER) })
    const fetchedAt = new Date('2025-02-01T06:00:00Z')
    await utimes(join(from, 'debian-tracker.json.gz'), fetchedAt, fetchedAt)
    expect(await run(tracker, { from })).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await readAge('debian')).toEqual([{ at: fetchedAt, basis: 'delivered' }])

    const counts = JSON.stringify({ debian: { records: 1, as_of: '2024-12-24T00:00:00Z' } })
    const stated = await writeTemporaryDirectory({ 'debian-tracker.json': TRACKER, 'upstream-counts.json': counts })
    await run(tracker, { from: stated })
    expect(await readAge('debian')).toEqual([{ at: new Date('2024-12-24T00:00:00Z'), basis: 'delivered' }])
    expect(await readExtent('debian')).toMatchObject({ index: 1, complete: true })
  })
})
