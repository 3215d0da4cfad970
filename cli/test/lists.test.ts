import { describe, expect, it } from 'vitest'
import { cve, statistic } from '../../service/test/support/catalog/cve-builder.ts'
import { detailRecord } from '../../service/test/support/catalog/cve-fragments.ts'
import { world } from './world.ts'

const { api, given, key, vis } = await world()
const ids = Array.from({ length: 25 }, (_, at) => `CVE-2026-${1001 + at}`)
await given(
  ...ids.map((id, at) =>
    cve(id, {
      published: `2026-08-21T00:${String(at).padStart(2, '0')}:00Z`,
      modified: `2026-08-21T01:${String(at).padStart(2, '0')}:00Z`,
      description: at === 0 ? '=HYPERLINK("https://evil.example","click, me")' : 'A weakness of Thing.',
      score: at % 10,
      ...(at < 2 ? { kev: { product: `Product ${at}`, dateAdded: `2026-08-1${at}`, knownRansomware: at === 0 } } : {}),
      ...(at < 3 ? { epss: [0.1 * (at + 1), 0.5] as const } : {}),
    }),
  ),
  cve('CVE-2020-0001', { attackVector: 'local', details: { nvd: detailRecord('CVE-2020-0001', 'nvd') } }),
  statistic({ totalCves: 26, totalKev: 2, totalWithEpss: 3, totalWithAcsc: 0, averageEpss: 0.2 }),
)
const newestFirst = ids.toReversed()
const idsIn = (text: string) => text.match(/CVE-\d{4}-\d+/g) ?? []

async function creditsUsed(): Promise<number> {
  return (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used
}

describe('vis search', () => {
  it('shows a table of 20, and says that there is more', async () => {
    const { stdout, stderr } = await vis(['search'])

    expect(stdout.split('\n')[0]).toBe('CVE            SCORE  SEVERITY  EPSS  KEV  PUBLISHED   DESCRIPTION')
    expect(idsIn(stdout)).toEqual(newestFirst.slice(0, 20))
    expect(stderr).toBe('20 of 26 shown; --limit N shows more, --all shows all.\n')
  })

  it('pays for the pages it needs and no more', async () => {
    const before = await creditsUsed()
    await vis(['search', '--limit', '3'])
    await vis(['search', '--all'])

    expect((await creditsUsed()) - before).toBe(2)
  })

  it('fits its last column into the terminal', async () => {
    const { stdout } = await vis(['search', 'hyperlink'], { COLUMNS: '80' })

    expect(stdout.split('\n')[1]).toMatch(/^CVE-2026-1001 +0\.0 +NONE +10\.0 % +yes +2026-08-21 +=HYPERLINK.*…$/)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('takes every kind of filter: lists, numbers, dates, yes and no', async () => {
    const found = async (...words: readonly string[]) => idsIn((await vis(['search', ...words, '--all'])).stdout)

    expect(await found('--severity', 'high,critical', '--severity', 'low', '--no-kev', '--epss-min', '0.25')).toEqual([
      'CVE-2026-1003',
    ])
    expect(await found('--kev', '--epss-max=0.15', '--published-after', '2026-08-01')).toEqual(['CVE-2026-1001'])
    expect(await found('--ids', 'CVE-2020-0001,CVE-2026-1001', '--sort', 'published_asc')).toEqual([
      'CVE-2020-0001',
      'CVE-2026-1001',
    ])
  })

  it('adds include=enrichment where a filter needs it', async () => {
    expect(idsIn((await vis(['search', '--attack-vector', 'local', '--no-patched'])).stdout)).toEqual(['CVE-2020-0001'])
  })

  it('gives JSON with the fields that are asked for', async () => {
    const { stdout } = await vis(['search', '--json', '--limit', '2', '--fields', 'cve_id,severity'])

    expect(JSON.parse(stdout)).toEqual([
      { cve_id: 'CVE-2026-1025', severity: 4 },
      { cve_id: 'CVE-2026-1024', severity: 3 },
    ])
  })

  it('gives CSV that no spreadsheet runs', async () => {
    const { stdout } = await vis(['search', 'hyperlink', '--csv'])

    expect(stdout).toBe(
      [
        'cve_id,published,modified,severity,status,epss_score,epss_percentile,kev_date_added,kev_due_date,description',
        `CVE-2026-1001,2026-08-21T00:00:00Z,2026-08-21T01:00:00Z,0,Analyzed,0.1,0.5,2026-08-10,2026-08-31,"'=HYPERLINK(""https://evil.example"",""click, me"")"`,
        '',
      ].join('\r\n'),
    )
  })

  it('says that nothing was found, and in JSON gives an empty list', async () => {
    const { code, stdout, stderr } = await vis(['search', 'unheardof'])
    const json = await vis(['search', 'unheardof', '--json'])

    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing was found.\n'])
    expect(json.stdout).toBe('[]\n')
  })
})

describe('the other commands', () => {
  it('vis recent shows what is new', async () => {
    const { stdout } = await vis(['recent', '--limit', '3'])

    expect(idsIn(stdout)).toEqual(newestFirst.slice(0, 3))
    expect(stdout).toContain('2026-08-21T01:24:00Z')
  })

  it('vis kev shows the catalogue', async () => {
    const { stdout } = await vis(['kev', '--vendor', 'maker'])
    const csv = await vis(['kev', '--ransomware', '--csv'])
    const json = await vis(['kev', '--no-ransomware', '--json'])

    expect(idsIn(stdout)).toEqual(['CVE-2026-1002', 'CVE-2026-1001'])
    expect(csv.stdout).toContain('CVE-2026-1001,2026-08-10,2026-08-31,true,Maker,Product 0,')
    expect(JSON.parse(json.stdout)).toMatchObject([{ cveId: 'CVE-2026-1002' }])
  })

  it('vis detail shows a full record, a partial one, and JSON', async () => {
    const full = await vis(['detail', 'CVE-2020-0001'])
    const partial = await vis(['detail', 'CVE-2020-0001', '--vendor', 'cve'])
    const json = await vis(['detail', 'CVE-2020-0001', '--json'])

    expect(full.stdout).toMatch(
      /as nvd knows it[\s\S]*CVSS 3\.1 +10\.0 CRITICAL[\s\S]*Exploit +1\.0 of 1\.0[\s\S]*CWE-79 Größe/,
    )
    expect(partial.stdout).toContain('as cve knows it')
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'full', record: { vendor: 'nvd' } })
  })

  it('vis usage, stats and ping answer', async () => {
    const [usage, stats, ping] = await Promise.all([vis(['usage']), vis(['stats']), vis(['ping'])])

    expect(usage.stdout).toMatch(
      /Plan +pro\nCredits +[█░]{30} {2}\d+ of 30,000 used\n +[\d,]+ left\nReset +\d{4}-\d\d-01T00:00:00Z\n/,
    )
    expect(stats.stdout).toMatch(/CVEs +26\n[\s\S]*KEV +2\nEPSS +3, on average 0\.2\n/)
    expect(ping.stdout).toMatch(/^ok at 2026-08-22T00:00:00Z\n$/)
  })
})
