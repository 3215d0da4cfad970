import { describe, expect, it } from 'vitest'
import { cve, statistic } from '../../service/test/support/catalog/cve-builder.ts'
import { buildDetailRecord } from '../../service/test/support/catalog/cve-fragments.ts'
import { startVisctlSetup } from './visctl-setup.ts'

const { api, given, key, visctl } = await startVisctlSetup()
const ids = Array.from({ length: 25 }, (_, at) => `CVE-2026-${1001 + at}`)
await given(
  ...ids.map((id, at) =>
    cve(id, {
      published: `2026-08-21T00:${String(at).padStart(2, '0')}:00Z`,
      modified: `2026-08-21T01:${String(at).padStart(2, '0')}:00Z`,
      description:
        at === 0 ? '=HYPERLINK("https://evil.example","click, me")' : 'A flaw in the session handling of Gateway.',
      score: at % 10,
      ...(at < 2
        ? {
            kev: {
              vendorProject: 'Norwind',
              product: `Product ${at}`,
              dateAdded: `2026-08-1${at}`,
              knownRansomware: at === 0,
            },
          }
        : {}),
      ...(at === 1 || at === 4 ? { euKevSince: '2026-08-12' } : {}),
      ...(at < 3 ? { epss: [0.1 * (at + 1), 0.5] as const } : {}),
    }),
  ),
  cve('CVE-2020-0001', {
    attackVector: 'local',
    fixes: [{ version: '2.15.0' }, { version: '2.12.2', branch: '2.12' }],
    details: { nvd: buildDetailRecord('CVE-2020-0001', 'nvd') },
  }),
  cve('CVE-2025-0002', {
    published: '2025-01-02T00:00:00Z',
    description: 'Quicksilver, quicksilver, quicksilver.',
    fixes: [{ version: '2.4-1', downstream: true }],
  }),
  cve('CVE-2025-0003', { published: '2025-01-03T00:00:00Z', description: 'A long text that names quicksilver once.' }),
  statistic({ totalCves: 28, totalKev: 2, totalWithEpss: 3, totalWithAcsc: 0, averageEpss: 0.2 }),
)
const newestFirst = ids.toReversed()
const findIds = (text: string) => text.match(/CVE-\d{4}-\d+/g) ?? []

async function readCreditsUsed(): Promise<number> {
  return (await api.get('/api/v1/usage', { key })).json.data.usage.credits_used
}

describe('visctl filters', () => {
  it('prints the parameters of lists, or only the named ones, free of charge', async () => {
    const before = await readCreditsUsed()
    const { stdout } = await visctl(['filters'])
    const named = await visctl(['filters', 'exploit_maturity', '--json'])

    expect(stdout).toMatch(/^PARAMETER .*MEANING\n/)
    expect(stdout).toMatch(/^cwe .*CWE-79,CWE-89 /m)
    expect(JSON.parse(named.stdout)).toMatchObject([
      { name: 'exploit_maturity', allowed: ['none', 'poc', 'functional', 'weaponized', 'active', 'ransomware'] },
    ])
    expect(await readCreditsUsed()).toBe(before)
  })
})

describe('visctl search', () => {
  it('has an option for each filter, including lists, flags and dates', async () => {
    const search = ['search', '--kev-added-after', '2026-08-10', '--no-ransomware', '--cwe', 'CWE-79,CWE-89']
    expect(findIds((await visctl(search)).stdout)).toEqual([ids[1]])
    expect(findIds((await visctl(['recent', '--ransomware', '--exploit-maturity', 'active'])).stdout)).toEqual([ids[0]])
  })

  it('prints a table of 20 CVEs and a note that there are more', async () => {
    const { stdout, stderr } = await visctl(['search'])

    expect(stdout.split('\n')[0]).toBe(
      'CVE            LEVEL  SCORE  SEVERITY  EPSS  KEV  FIXED IN  PUBLISHED   PRODUCT      DESCRIPTION',
    )
    expect(findIds(stdout)).toEqual(newestFirst.slice(0, 20))
    expect(stderr).toBe('20 of 28 shown; --limit N shows more, --all shows all.\n')
  })

  it('shows the level and the first fixed version of each CVE, and no version of a package that contains it', async () => {
    const { stdout } = await visctl(['search', '--ids', 'CVE-2020-0001,CVE-2025-0002'])
    const csv = await visctl(['search', '--ids', 'CVE-2020-0001', '--csv'])

    expect(stdout).toMatch(/^CVE-2020-0001 +P\d .* 2\.15\.0 … /m)
    expect(stdout).toMatch(/^CVE-2025-0002 +P\d .* - {2,}2025/m)
    expect(csv.stdout).toMatch(/priority_level,fixed_versions\r?\n.*,P\d,thing 2\.15\.0; thing 2\.12\.2\r?\n/)
  })

  it('fetches only the pages that it prints, because each page costs a credit', async () => {
    const before = await readCreditsUsed()
    await visctl(['search', '--limit', '3'])
    await visctl(['search', '--all'])

    expect((await readCreditsUsed()) - before).toBe(2)
  })

  it('fits tables into the width of the terminal', async () => {
    const narrow = await visctl(['search', 'hyperlink'], { COLUMNS: '80' })
    const wide = await visctl(['search', 'hyperlink'], { COLUMNS: '100' })

    expect(narrow.stdout.split('\n')[1]).toMatch(/^CVE-2026-1001 +P0 +0\.0 +yes +- +maker thing +=HYPERLINK.*…$/)
    expect(wide.stdout.split('\n')[1]).toMatch(/^CVE-2026-1001 .* yes +- +2026-08-21 +maker thing +=HYPERLINK.*…$/)
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('prints full texts if the table goes to a file or another program', async () => {
    const { stdout } = await visctl(['search', 'hyperlink'])

    expect(stdout.split('\n')[1]).toMatch(/=HYPERLINK\("https:\/\/evil\.example","click, me"\)$/)
  })

  it('prints at most --limit CVEs, even with --all', async () => {
    const before = await readCreditsUsed()
    const { stdout, stderr } = await visctl(['search', '--all', '--limit', '3'])

    expect(findIds(stdout)).toEqual(newestFirst.slice(0, 3))
    expect(stderr).toContain('3 of 28 shown')
    expect((await readCreditsUsed()) - before).toBe(1)
  })

  it('filters by lists, numbers, dates and booleans', async () => {
    const search = async (...options: readonly string[]) =>
      findIds((await visctl(['search', ...options, '--all'])).stdout)

    expect(await search('--severity', 'high,critical', '--severity', 'low', '--no-kev', '--epss-min', '0.25')).toEqual([
      'CVE-2026-1003',
    ])
    expect(await search('--kev', '--epss-max=0.15', '--published-after', '2026-08-01')).toEqual(['CVE-2026-1001'])
    expect(await search('--kev-in', 'eu')).toEqual(['CVE-2026-1005', 'CVE-2026-1002'])
    expect(await search('--kev-in', 'cisa,eu')).toEqual(['CVE-2026-1005', 'CVE-2026-1002', 'CVE-2026-1001'])
    expect(await search('--ids', 'CVE-2020-0001,CVE-2026-1001', '--sort', 'published_asc')).toEqual([
      'CVE-2020-0001',
      'CVE-2026-1001',
    ])
  })

  it('sorts by relevance if search words but no sort order are given', async () => {
    const first = async (...options: readonly string[]) =>
      findIds((await visctl(['search', ...options, '--limit', '1'])).stdout)

    expect(await first('quicksilver')).toEqual(['CVE-2025-0002'])
    expect(await first('--q', 'quicksilver')).toEqual(['CVE-2025-0002'])
    expect(await first('quicksilver', '--sort', 'published_desc')).toEqual(['CVE-2025-0003'])
    expect(await first('.')).toEqual([ids.at(-1)])
  })

  it('adds include=enrichment if a filter requires it', async () => {
    expect(findIds((await visctl(['search', '--attack-vector', 'local', '--no-patched'])).stdout)).toEqual([
      'CVE-2020-0001',
    ])
  })

  it('prints JSON with the fields that --fields selects', async () => {
    const { stdout } = await visctl(['search', '--json', '--limit', '2', '--fields', 'cve_id,severity'])

    expect(JSON.parse(stdout)).toEqual([
      { cve_id: 'CVE-2026-1025', severity: 4 },
      { cve_id: 'CVE-2026-1024', severity: 3 },
    ])
  })

  it('prints CSV in which a description cannot be run as a spreadsheet formula', async () => {
    const { stdout } = await visctl(['search', 'hyperlink', '--csv'])

    expect(stdout).toBe(
      [
        'cve_id,published,modified,severity,status,epss_score,epss_percentile,kev_date_added,kev_due_date,description,products,priority_level,fixed_versions',
        `CVE-2026-1001,2026-08-21T00:00:00Z,2026-08-21T01:00:00Z,0,Analyzed,0.1,0.5,2026-08-10,2026-08-31,"'=HYPERLINK(""https://evil.example"",""click, me"")",maker thing,P0,`,
        '',
      ].join('\r\n'),
    )
  })

  it('prints a note instead of a table, and an empty JSON array, if no CVE matches', async () => {
    const { code, stdout, stderr } = await visctl(['search', 'unmatched'])
    const json = await visctl(['search', 'unmatched', '--json'])

    expect([code, stdout, stderr]).toEqual([0, '', 'No records found.\n'])
    expect(json.stdout).toBe('[]\n')
  })
})

describe('visctl recent', () => {
  it('lists recently modified CVEs, newest first', async () => {
    const { stdout } = await visctl(['recent', '--limit', '3'])

    expect(findIds(stdout)).toEqual(newestFirst.slice(0, 3))
    expect(stdout).toContain('2026-08-21T01:24:00Z')
  })

  it('prints the events of each CVE as JSON, which a search does not return', async () => {
    const options = ['--json', '--include', 'events', '--fields', 'cve_id,events']
    const [first] = JSON.parse((await visctl(['recent', '--limit', '1', ...options])).stdout)
    expect(first).toMatchObject({ cve_id: newestFirst[0], events: [{ kind: 'modified' }, { kind: 'published' }] })
    expect(await visctl(['search', 'router', ...options])).toMatchObject({ code: 1 })
  })
})

describe('visctl kev', () => {
  it('lists KEV entries as a table, CSV and JSON, with filters', async () => {
    const { stdout } = await visctl(['kev', '--vendor', 'norwind'])
    const csv = await visctl(['kev', '--ransomware', '--csv'])
    const json = await visctl(['kev', '--no-ransomware', '--json'])

    expect(findIds(stdout)).toEqual(['CVE-2026-1002', 'CVE-2026-1001'])
    expect(stdout).toMatch(/^CVE .* VENDOR +PRODUCT +NAME\nCVE-2026-1002 .* Norwind +Product 1 /)
    expect(csv.stdout).toContain('CVE-2026-1001,2026-08-10,2026-08-31,true,Norwind,Product 0,')
    expect(JSON.parse(json.stdout)).toMatchObject([{ cveId: 'CVE-2026-1002' }])
  })
})

describe('visctl exploits', () => {
  const ID = 'CVE-2020-0002'

  it('prints the maturity and a table of the evidence', async () => {
    await given(cve(ID, { kev: { dateAdded: '2026-08-10' }, repositoryCount: 1 }))
    const { stdout, stderr } = await visctl(['exploits', ID])

    expect(stdout.split('\n')).toEqual([
      `${ID}: maturity active, first public 2026-08-10, in KEV since 2026-08-10, 2 items of evidence`,
      expect.stringMatching(/^DATE +KIND +MATURITY +ID +URL$/),
      expect.stringMatching(/^2026-08-10 +kev +active +CISA: known exploited$/),
      expect.stringMatching(
        /^2026-01-01 +repository +poc +someone\/repository-0 +https:\/\/github\.com\/someone\/repo/,
      ),
      '',
    ])
    expect(stderr).toBe('')
  })

  it('says that code repositories alone are not verified, and how to see more', async () => {
    await given(cve('CVE-2020-0003', { repositoryCount: 25 }))
    const { stdout, stderr } = await visctl(['exploits', 'CVE-2020-0003'])

    expect(stdout).toContain(': maturity poc (unverified: code repositories only), first public 2026-01-01, 25 items')
    expect(stderr).toBe('20 of 25 shown; --limit N shows more, --all shows all.\n')
  })

  it('prints CSV and JSON without the summary', async () => {
    const csv = await visctl(['exploits', ID, '--csv'])
    const json = await visctl(['exploits', ID, '--json'])

    expect(csv.stdout.split('\r\n')[0]).toBe(
      'date,date_is,first_seen,kind,maturity,source,id,module_rank,is_verified,url,says,gone',
    )
    expect(csv.stdout).toContain('2026-08-10,addition,,kev,active,CISA,,,,,known exploited,')
    expect(JSON.parse(json.stdout)).toMatchObject([{ kind: 'kev' }, { kind: 'repository' }])
  })

  it('says that there is no evidence for a CVE', async () => {
    const { stdout, stderr } = await visctl(['exploits', 'CVE-2020-0001'])
    expect([stdout, stderr]).toEqual(['CVE-2020-0001: maturity none, 0 items of evidence\n', 'No records found.\n'])
  })
})

describe('visctl detail', () => {
  it('shows a full detail record and a partial one, and prints JSON', async () => {
    const full = await visctl(['detail', 'CVE-2020-0001'])
    const partial = await visctl(['detail', 'CVE-2020-0001', '--vendor', 'cve'])
    const json = await visctl(['detail', 'CVE-2020-0001', '--json'])

    expect(full.stdout).toMatch(
      /as recorded by nvd[\s\S]*CVSS 3\.1 +10\.0 CRITICAL[\s\S]*Exploit +1\.0 of 1\.0[\s\S]*CWE-79 /,
    )
    expect(full.stdout).toContain('Fixed in    examplesoft router 2.4.1 (nvd)')
    expect(partial.stdout).toContain('as recorded by cve')
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'full', record: { vendor: 'nvd' } })
  })
})

describe('visctl detail for a CVE with a lot of data', () => {
  it("shows version ranges and each CVSS version's own terms, and shortens lists", async () => {
    const record = buildDetailRecord('CVE-2020-0002', 'nvd')
    const repositories = Array.from({ length: 37 }, (_, at) => `PoC-in-GitHub lists the public repository a/b${at}.`)
    const links = Array.from({ length: 8 }, (_, at) => ({
      url: `https://maker.example/${at}`,
      tags: [],
      source: 'maker',
    }))
    const bounds = {
      versionStartIncluding: '2.0',
      versionEndExcluding: '2.15.0',
      versionEndIncluding: null,
      versionStartExcluding: null,
    }
    const details = {
      ...record,
      metrics: {
        ...record.metrics,
        cvss_v2: { version: '2.0', vectorString: 'AV:N/AC:M/Au:N/C:C/I:C/A:C', baseScore: 9.3 },
        exploitability: { score: 1, evidence: ['CISA lists it.', ...repositories, 'And 400 more.'] },
      },
      affected_products: {
        ...record.affected_products,
        cpe_configurations: [
          { vulnerable: true, cpe23Uri: 'cpe:2.3:a:norwind:logbook:*:*:*:*:*:*:*:*', ...bounds },
          { vulnerable: false, cpe23Uri: 'cpe:2.3:o:norwind:os:-:*:*:*:*:*:*:*', ...bounds },
        ],
        total_cpe_count: 2,
        cpe_source: 'nvd',
      },
      references: { ...record.references, technical_articles: links, total_reference_count: 8 },
    }
    await given(cve('CVE-2020-0002', { details: { nvd: details } }))
    const { stdout } = await visctl(['detail', 'CVE-2020-0002'])

    expect(stdout).toMatch(/CVSS 2\.0 +9\.3 HIGH /)
    expect(stdout).toMatch(
      /Affected +norwind logbook from 2\.0 before 2\.15\.0\nFixed in +examplesoft router 2\.4\.1 \(nvd\)\nArticles /,
    )
    expect(stdout).toMatch(
      /CISA lists it\.\n( +PoC-in-GitHub .*\n){3} +and 34 more; --json shows all\n +And 400 more\.\n/,
    )
    expect(stdout).toMatch(/maker\.example\/4\n +and 3 more; --json shows all\n/)
  })
})

describe('visctl usage, stats, health and ping', () => {
  it("shows the plan and this month's credits", async () => {
    const { stdout } = await visctl(['usage'])

    expect(stdout).toMatch(
      /Plan +pro\nCredits +[█░]{30} {2}\d+ of 30,000 used\n +[\d,]+ left\nReset +\d{4}-\d\d-01T00:00:00Z\n/,
    )
  })

  it('shows the number of CVEs, KEV entries and EPSS scores', async () => {
    const { stdout } = await visctl(['stats'])

    expect(stdout).toMatch(/CVEs +28\n[\s\S]*KEV +2\nEPSS +3, on average 0\.2\n/)
  })

  it('shows the age of the data sets, and which data set was never loaded', async () => {
    const { stdout } = await visctl(['health'])

    expect(stdout).toMatch(/^Status +degraded\n/)
    expect(stdout).toMatch(/\nkev +- +unknown +never +never loaded\n/)
  })

  it('prints the status and the time of a ping', async () => {
    const { stdout } = await visctl(['ping'])

    expect(stdout).toMatch(/^ok at 2026-08-22T00:00:00Z\n$/)
  })
})
