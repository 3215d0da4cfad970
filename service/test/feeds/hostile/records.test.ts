import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { nvdContainer, nvdRecord, rating } from '../sources/nvd/fixtures.ts'
import { buildEpssFile, buildKevFile } from '../temporary-files.ts'
import { buildScores, createHostileSetup, ids, nvdRecords, PATHS } from './setup.ts'

const setup = await createHostileSetup()
const { harness } = setup

const lastRejections = `
  select subject, reason
    from source.feed_rejection
   where run_id = (select max(id) from source.feed_run)`

const readRecord = async (id: string) =>
  JSON.parse(
    (
      await harness.selectRows<{ record: string }>(
        `select record from source.source_record where cve_id = '${id}' and source = 'nvd'`,
      )
    )[0]?.record ?? 'null',
  )

const NEWER = { lastModified: '2026-08-22T01:00:00.000' }

describe('feeds with invalid records', () => {
  it('reject an NVD record with a score of 11.0 and store the other records', async () => {
    const invalid = nvdRecord('CVE-2026-20000', { metrics: { cvssMetricV31: [rating(11)] } })
    setup.serveNvd(nvdContainer([...nvdRecords(50, NEWER), invalid]))

    expect(await setup.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 50, rejected: 1 })
    expect(await harness.selectRows(lastRejections)).toEqual([
      { subject: 'CVE-2026-20000', reason: expect.stringContaining('baseScore') },
    ])
  })

  it('reject EPSS lines with a score of 1.2, a score that is not a number and an invalid id', async () => {
    const lines = ['CVE-2026-10000,1.2,0.5', 'CVE-2026-10001,NaN,0.5', 'CVE-26-1,0.1,0.5']
    setup.serve(
      PATHS.epss,
      gzipSync(
        `${buildEpssFile(buildScores(200), '2026-08-22').replace(/CVE-2026-1000[01],.*\n/g, '')}${lines.join('\n')}\n`,
      ),
    )

    const report = await setup.run('epss')

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 3 })
    expect(
      (await harness.selectRows<{ subject: string }>(lastRejections)).map(({ subject }) => subject).sort(),
    ).toEqual(['CVE-2026-10000', 'CVE-2026-10001', 'CVE-26-1'])
    // A rejected EPSS line does not change the stored score of its CVE.
    expect(await harness.selectRows("select score from source.epss_score where cve_id = 'CVE-2026-10001'")).toEqual([
      { score: 0.001 },
    ])
  })

  it('reject a KEV entry with an impossible date without marking the stored entry as removed', async () => {
    const text = buildKevFile(ids(100), '2026-08-22T01:00:00Z').replace(
      '"dateAdded":"2026-08-01"',
      '"dateAdded":"2026-02-30"',
    )
    setup.serve(PATHS.kev, text)

    expect(await setup.run('kev')).toMatchObject({ outcome: 'succeeded', removed: 0, rejected: 1 })
    expect(await harness.selectRows("select removed_at from source.kev_entry where cve_id = 'CVE-2026-10000'")).toEqual(
      [{ removed_at: null }],
    )
  })
})

describe('feeds with unusual records', () => {
  it('remove NUL characters and unpaired surrogates from an NVD record', async () => {
    const odd = nvdRecord('CVE-2026-20002', { ...NEWER, evaluatorComment: 'MARK' })
    setup.serveNvd(nvdContainer([odd]).replace('MARK', 'a\\u0000b\\ud83dc'))

    expect(await setup.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await readRecord('CVE-2026-20002')).toMatchObject({ evaluatorComment: 'ab\uFFFDc' })
  })

  it('store unknown members and a member named __proto__ of an NVD record', async () => {
    const unknown = nvdRecord('CVE-2026-20003', { ...NEWER, brandNew: { deep: [1] }, MARK: 'x' })
    setup.serveNvd(nvdContainer([unknown]).replace('"MARK"', '"__proto__"'))

    expect(await setup.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await readRecord('CVE-2026-20003')).toMatchObject({ brandNew: { deep: [1] } })
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('store the newer of two NVD records with the same id', async () => {
    const [older, newer] = ['2026-08-22T02:00:00.000', '2026-08-22T03:00:00.000'].map((lastModified, index) =>
      nvdRecord('CVE-2026-20004', { lastModified, evaluatorComment: `${index}` }),
    )
    setup.serveNvd(nvdContainer([newer, older]))

    expect(await setup.run('nvd')).toMatchObject({ written: 1, duplicates: 1 })
    expect(await readRecord('CVE-2026-20004')).toMatchObject({ evaluatorComment: '1' })
  })

  it('skip an NVD record that is older than the stored one and add a notice', async () => {
    setup.serveNvd(nvdContainer([nvdRecord('CVE-2026-20004', { lastModified: '2026-08-01T00:00:00.000' })]))

    const report = await setup.run('nvd')

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(report.notices.join()).toContain('older than the stored ones')
  })
})
