import { beforeEach, describe, expect, it } from 'vitest'
import { buildFile, buildLines, createEpssHarness, MODEL, SCORED } from './fixtures.ts'

const NEXT_DAY = { scored: '2026-08-21T12:05:00Z' }
const { importScores, listStored, getRelease, selectRows, reset } = await createEpssHarness()
beforeEach(reset)

describe('EPSS feed: storing scores', () => {
  it('stores every EPSS score exactly, with its model version, and the score date once', async () => {
    const report = await importScores(
      buildFile(['CVE-1999-0001,0.03351,0.87650', 'CVE-2024-3094,1,0.999990001', 'CVE-2020-0001,9e-05,0']),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    expect(await listStored()).toEqual([
      `CVE-1999-0001 0.03351 0.8765 ${MODEL}`,
      `CVE-2020-0001 9e-05 0 ${MODEL}`,
      `CVE-2024-3094 1 0.999990001 ${MODEL}`,
    ])
    expect(await getRelease()).toEqual([{ scored_at: new Date(SCORED), model_version: MODEL }])
  })

  it('writes no score when only the score date changed', async () => {
    const rows = 'select cve_id, xmin::text, xmax::text, ctid::text from source.epss_score order by cve_id'
    await importScores(buildFile(buildLines(100)))
    const before = await selectRows(rows)

    const again = await importScores(buildFile(buildLines(100), NEXT_DAY))

    expect(again).toMatchObject({ outcome: 'succeeded', read: 100, written: 0, removed: 0, unchanged: 100 })
    expect(await selectRows(rows)).toEqual(before)
    expect(await getRelease()).toEqual([{ scored_at: new Date(NEXT_DAY.scored), model_version: MODEL }])
  })

  it('writes changed and new scores and removes scores that the file no longer contains', async () => {
    await importScores(
      buildFile(['CVE-2024-0001,0.5,0.9', 'CVE-2024-0002,0.5,0.9', 'CVE-2024-0003,0.5,0.9', 'CVE-2024-0004,0.5,0.9']),
    )

    const report = await importScores(
      buildFile(
        ['CVE-2024-0001,0.5,0.9', 'CVE-2024-0002,0.6,0.9', 'CVE-2024-0003,0.5,0.8', 'CVE-2024-0005,0.5,0.9'],
        NEXT_DAY,
      ),
    )

    expect(report).toMatchObject({ written: 3, unchanged: 1, removed: 1 })
    expect(await listStored()).toEqual([
      `CVE-2024-0001 0.5 0.9 ${MODEL}`,
      `CVE-2024-0002 0.6 0.9 ${MODEL}`,
      `CVE-2024-0003 0.5 0.8 ${MODEL}`,
      `CVE-2024-0005 0.5 0.9 ${MODEL}`,
    ])
    expect(await selectRows("select table_count::int from catalog.dataset where name = 'epss'")).toEqual([
      { table_count: 4 },
    ])
  })

  it('stores the score in the last of several lines for one CVE', async () => {
    const report = await importScores(
      buildFile(['CVE-2024-0001,0.5,0.9', 'cve-2024-0001,0.4,0.8', 'CVE-2024-0001,0.3,0.7']),
    )
    expect(report).toMatchObject({ read: 3, written: 1, duplicates: 2 })
    expect(await listStored()).toEqual([`CVE-2024-0001 0.3 0.7 ${MODEL}`])
  })
})

describe('EPSS feed: rejected lines', () => {
  it('removes the stored score of a rejected line when the model version changed', async () => {
    await importScores(buildFile(['CVE-2024-0001,0.5,0.9', ...buildLines(5)]))

    const report = await importScores(
      buildFile(['CVE-2024-0001,1.2,0.9', ...buildLines(5)], { model: 'v2027.01.01', ...NEXT_DAY }),
    )

    expect(report).toMatchObject({ outcome: 'succeeded', written: 5, removed: 1 })
    expect((await listStored()).every((each) => each.endsWith('v2027.01.01'))).toBe(true)
  })
})
