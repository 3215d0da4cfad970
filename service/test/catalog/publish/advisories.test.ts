import { beforeEach, describe, expect, it } from 'vitest'
import { findLevelOfRank } from '../../../src/domain/priority/policy.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const GHSA = 'GHSA-jfh8-c2jp-5v3q'
const CVE = 'CVE-2026-1000'

const advisory = (id: string, fixed: string, more: object = {}) => ({
  advisories: [id],
  title: 'A flaw in lark',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', base_score: null }],
  products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed }],
  ...more,
})

async function storeGhsa(id: string, record: object, cveId: string | null = null): Promise<void> {
  const text = JSON.stringify(record)
  await catalog.selectRows(`
    insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
    values ('${id}', ${cveId === null ? 'null' : `'${cveId}'`}, sha256('${text}'), '2026-08-02T10:00:00Z', '${text}')
    on conflict (ghsa_id) do update
       set cve_id = excluded.cve_id, content_hash = excluded.content_hash, record = excluded.record
  `)
}

const storeOsv = (id: string, record: object) =>
  catalog.selectRows(`
    insert into source.osv_advisory (feed, id, modified, record, content_hash)
    values ('osv-go', '${id}', '2026-08-02T10:00:00Z', '${JSON.stringify(record)}', sha256('${id}'))
  `)

/** Publishes after a run of the feed `ghsa`. */
async function publish(): Promise<void> {
  await catalog.selectRows("update catalog.dataset set last_run_at = clock_timestamp() where name = 'ghsa'")
  await catalog.publish()
}

const readAdvisories = () =>
  catalog.selectRows<object>('select id, source, score::float, is_withdrawn from catalog.advisory order by id')

/** Rows as `id source name <high`. */
const readRows = async () =>
  (
    await catalog.selectRows<{ text: string }>(`
      select concat_ws(' ', coalesce(advisory.id, catalog.cve_id(subject_key)), affected.source, vendor || '/' || product,
                       '<' || high) as text
        from catalog.affected
        join catalog.affected_name using (name_key)
        left join catalog.advisory on advisory_key = -subject_key
       order by 1
    `)
  ).map(({ text }) => text)

describe('Publisher: an advisory without a CVE', () => {
  it('is published under its own id with its packages', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await storeOsv('GO-2026-0001', advisory('GO-2026-0001', '2.5'))
    await publish()
    expect(await readAdvisories()).toEqual([
      { id: GHSA, source: 'ghsa', score: 9.8, is_withdrawn: false },
      { id: 'GO-2026-0001', source: 'osv:go', score: 9.8, is_withdrawn: false },
    ])
    expect(await readRows()).toEqual([`${GHSA} ghsa npm/lark <2.4`, 'GO-2026-0001 osv:go npm/lark <2.5'])
  })

  it('is one vulnerability with the same advisory of another database', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await storeOsv('GO-2026-0001', advisory('GO-2026-0001', '2.5', { aliases: [GHSA, 'SNYK-1'], cve_ids: [] }))
    await publish()
    const shown = await catalog.selectRows('select id, source, aliases from catalog.advisory')
    expect(shown).toEqual([{ id: GHSA, source: 'ghsa', aliases: ['GO-2026-0001', 'SNYK-1'] }])
    expect(await readRows()).toEqual([`${GHSA} ghsa npm/lark <2.4`, `${GHSA} osv:go npm/lark <2.5`])
    await catalog.selectRows('delete from source.ghsa_advisory')
    await publish()
    expect(await readRows()).toEqual(['GO-2026-0001 osv:go npm/lark <2.5'])
  })

  it('has a level by the policy for CVEs, and is unrated without a score', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    const OTHER = 'GHSA-2222-2222-2222'
    await storeGhsa(OTHER, advisory(OTHER, '2.4', { scores: [], severity: 'moderate' }))
    await publish()
    const rated = await catalog.selectRows<{ priority: number | null }>(
      'select id, priority, severity_word from catalog.advisory order by score nulls last',
    )
    expect(rated.map(({ priority, ...each }) => ({ ...each, level: findLevelOfRank(priority) }))).toEqual([
      { id: GHSA, severity_word: null, level: 'P3' },
      { id: OTHER, severity_word: 'moderate', level: 'unrated' },
    ])
  })

  it('is not published if it is an AlmaLinux erratum about a bug', async () => {
    await storeOsv('ALBA-2026:1', advisory('ALBA-2026:1', '2.5'))
    await storeOsv('ALSA-2026:1', advisory('ALSA-2026:1', '2.5'))
    await publish()
    expect(await readAdvisories()).toMatchObject([{ id: 'ALSA-2026:1' }])
  })

  it('changes with its source, and is not rewritten without a change', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.6'))
    await publish()
    expect(await readRows()).toEqual([`${GHSA} ghsa npm/lark <2.6`])
    const readVersions = () =>
      catalog.selectRows<object>(
        'select xmin::text, ctid::text from catalog.advisory union all select xmin::text, ctid::text from catalog.affected',
      )
    const versions = await readVersions()
    await publish()
    expect(await readVersions()).toEqual(versions)
  })

  it('has no packages after it was withdrawn', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.4', { withdrawn: true }))
    await publish()
    expect([await readAdvisories(), await readRows()]).toMatchObject([[{ id: GHSA, is_withdrawn: true }], []])
  })

  it('is removed when its source removes it', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await catalog.selectRows('delete from source.ghsa_advisory')
    await publish()
    expect([await readAdvisories(), await readRows()]).toEqual([[], []])
  })

  it('becomes part of a CVE when it names one', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await catalog.storeRecord('nvd', CVE, nvdRecord(CVE, { configurations: [] }))
    await storeGhsa(GHSA, advisory(GHSA, '2.4'), CVE)
    await publish()
    expect([await readAdvisories(), await readRows()]).toEqual([[], [`${CVE} ghsa npm/lark <2.4`]])
  })
})

describe('Change log: an advisory without a CVE', () => {
  /** Rows as `type old id → new id, cause: touched packages`. */
  const readLog = async () =>
    (
      await catalog.selectRows<{ text: string }>(`
        select concat_ws(' ', array_to_string(types, ','), coalesce(diff -> 'advisory.id' ->> 'old', 'none'), '→',
                         coalesce(diff -> 'advisory.id' ->> 'new', 'none')) || ', ' || cause || ': ' || coalesce(
                 (
                   select string_agg(product, ', ' order by product)
                     from catalog.affected_touched touched
                     join catalog.affected_name using (name_key)
                    where touched.seq = change.seq and touched.subject_key < 0
                 ),
                 ''
               ) as text
          from catalog.change
         where kind = 'advisory' and cve_key is null
         order by seq
      `)
    ).map(({ text }) => text)
  const OTHER = 'GHSA-2222-2222-2222'
  const PUBLISHED = `advisory_published none → ${GHSA}, data: lark`

  it('has a row for each new advisory with its packages, and none for a withdrawn one', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await storeGhsa(OTHER, advisory(OTHER, '2.4', { withdrawn: true }))
    await publish()
    await publish()
    expect(await readLog()).toEqual([PUBLISHED])
  })

  it('has a row for other versions, for another title, and none if only the time of modification differs', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.6'))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.6', { title: 'A worse flaw in lark' }))
    await publish()
    await catalog.selectRows("update source.ghsa_advisory set modified = '2026-08-03T10:00:00Z', content_hash = 'x'")
    await publish()
    expect(await readLog()).toEqual([
      PUBLISHED,
      `advisory_changed ${GHSA} → ${GHSA}, data: lark`,
      `advisory_changed ${GHSA} → ${GHSA}, data: `,
    ])
  })

  it('has a row with the packages when it is withdrawn, published again, and removed', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.4', { withdrawn: true }))
    await publish()
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await catalog.selectRows('delete from source.ghsa_advisory')
    await publish()
    const WITHDRAWN = `advisory_withdrawn ${GHSA} → none, data: lark`
    expect(await readLog()).toEqual([PUBLISHED, WITHDRAWN, PUBLISHED, WITHDRAWN])
  })

  it('has a row when it becomes part of a CVE', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await catalog.storeRecord('nvd', CVE, nvdRecord(CVE, { configurations: [] }))
    await storeGhsa(GHSA, advisory(GHSA, '2.4'), CVE)
    await publish()
    expect((await readLog()).slice(1)).toEqual([`advisory_withdrawn ${GHSA} → none, data: lark`])
  })

  it('has the cause rules if the source did not change', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4'))
    await publish()
    await catalog.selectRows("update catalog.advisory set title = 'As an older version read it', content_hash = ''")
    await publish()
    expect((await readLog()).slice(1)).toEqual([`advisory_changed ${GHSA} → ${GHSA}, rules: `])
  })
})

describe('Publisher: an advisory that names a CVE without a record', () => {
  it('is published under its own id until the record of the CVE is published', async () => {
    await storeGhsa(GHSA, advisory(GHSA, '2.4', { cve_id: CVE }), CVE)
    await storeOsv('GO-2026-0001', advisory('GO-2026-0001', '2.5', { database: 'go', cve_ids: [CVE] }))
    await catalog.selectRows(`
      insert into source.osv_advisory_cve (feed, advisory_id, cve_id) values ('osv-go', 'GO-2026-0001', '${CVE}')
    `)
    await publish()
    expect(await readRows()).toEqual([`${GHSA} ghsa npm/lark <2.4`, `${GHSA} osv:go npm/lark <2.5`])
    const aliases = await catalog.selectRows('select id, aliases from catalog.advisory order by id')
    expect(aliases).toEqual([{ id: GHSA, aliases: [CVE, 'GO-2026-0001'] }])
    await catalog.storeRecord('nvd', CVE, nvdRecord(CVE, { configurations: [] }))
    // No advisory feed has run since.
    await catalog.publish()
    expect(await readAdvisories()).toEqual([])
    expect(await readRows()).toEqual([`${CVE} ghsa npm/lark <2.4`, `${CVE} osv:go npm/lark <2.5`])
  })
})
