import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { epssFile, kevFile } from '../small-files.ts'
import { nvdContainer, nvdRecord, rating } from '../sources/nvd/fixtures.ts'
import { hostileWorld, ids, nvdRecords, PATHS, scoresOf } from './setup.ts'

const world = await hostileWorld()
const { machine } = world

const lastRejections = `
  select subject, reason
    from source.feed_rejection
   where run_id = (select max(id) from source.feed_run)`

const recordOf = async (id: string) =>
  JSON.parse(
    (
      await machine.look<{ record: string }>(
        `select record from source.source_record where cve_id = '${id}' and source = 'nvd'`,
      )
    )[0]?.record ?? 'null',
  )

const NEWER = { lastModified: '2026-08-22T01:00:00.000' }

describe('A record that is poison is kept out with its reason, and the rest is stored:', () => {
  it('a score of 11.0', async () => {
    const poison = nvdRecord('CVE-2026-20000', { metrics: { cvssMetricV31: [rating(11)] } })
    world.serveNvd(nvdContainer([...nvdRecords(50, NEWER), poison]))

    expect(await world.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 50, rejected: 1 })
    expect(await machine.look(lastRejections)).toEqual([
      { subject: 'CVE-2026-20000', reason: expect.stringContaining('baseScore') },
    ])
  })

  it('a probability of 1.2, one that is no number, and an id that is none', async () => {
    const lines = ['CVE-2026-10000,1.2,0.5', 'CVE-2026-10001,NaN,0.5', 'CVE-26-1,0.1,0.5']
    world.serve(
      PATHS.epss,
      gzipSync(`${epssFile(scoresOf(200), '2026-08-22').replace(/CVE-2026-1000[01],.*\n/g, '')}${lines.join('\n')}\n`),
    )

    const report = await world.run('epss')

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 3 })
    expect((await machine.look<{ subject: string }>(lastRejections)).map(({ subject }) => subject).sort()).toEqual([
      'CVE-2026-10000',
      'CVE-2026-10001',
      'CVE-26-1',
    ])
    // What we had of them stays: they have not vanished.
    expect(await machine.look("select score from source.epss_score where cve_id = 'CVE-2026-10001'")).toEqual([
      { score: 0.001 },
    ])
  })

  it('an entry of the catalogue with a day that does not exist, which is not taken for a removal', async () => {
    const text = kevFile(ids(100), '2026-08-22T01:00:00Z').replace(
      '"dateAdded":"2026-08-01"',
      '"dateAdded":"2026-02-30"',
    )
    world.serve(PATHS.kev, text)

    expect(await world.run('kev')).toMatchObject({ outcome: 'succeeded', removed: 0, rejected: 1 })
    expect(await machine.look("select removed_at from source.kev_entry where cve_id = 'CVE-2026-10000'")).toEqual([
      { removed_at: null },
    ])
  })
})

describe('What can be mended is stored clean:', () => {
  it('characters that PostgreSQL cannot hold, and halves of characters', async () => {
    const odd = nvdRecord('CVE-2026-20002', { ...NEWER, evaluatorComment: 'MARK' })
    world.serveNvd(nvdContainer([odd]).replace('MARK', 'a\\u0000b\\ud83dc'))

    expect(await world.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await recordOf('CVE-2026-20002')).toMatchObject({ evaluatorComment: 'ab\uFFFDc' })
  })

  it('members that nobody knows, and names that mean something to a program', async () => {
    const strange = nvdRecord('CVE-2026-20003', { ...NEWER, brandNew: { deep: [1] }, MARK: 'x' })
    world.serveNvd(nvdContainer([strange]).replace('"MARK"', '"__proto__"'))

    expect(await world.run('nvd')).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await recordOf('CVE-2026-20003')).toMatchObject({ brandNew: { deep: [1] } })
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('the same id twice: the newer one counts', async () => {
    const [older, newer] = ['2026-08-22T02:00:00.000', '2026-08-22T03:00:00.000'].map((lastModified, index) =>
      nvdRecord('CVE-2026-20004', { lastModified, evaluatorComment: `${index}` }),
    )
    world.serveNvd(nvdContainer([newer, older]))

    expect(await world.run('nvd')).toMatchObject({ written: 1, duplicates: 1 })
    expect(await recordOf('CVE-2026-20004')).toMatchObject({ evaluatorComment: '1' })
  })

  it('a record older than ours: left out, and said', async () => {
    world.serveNvd(nvdContainer([nvdRecord('CVE-2026-20004', { lastModified: '2026-08-01T00:00:00.000' })]))

    const report = await world.run('nvd')

    expect(report).toMatchObject({ outcome: 'succeeded', written: 0 })
    expect(report.notices.join()).toContain('older than ours')
  })
})
