import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { advisory, storeCsaf } from '../csaf-documents.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
const { db } = catalog.context.session
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'

type Options = Parameters<typeof advisory>[3]

/** Stores a document about the CVE and publishes it. */
async function publish(members: object, options: Options = {}, id = 'cisco-sa-router-4711'): Promise<void> {
  await storeCsaf(db, 'csaf-cisco', advisory(id, ID, { ...members }, options))
  await catalog.publish()
}

async function readDetail(source = 'csaf-cisco') {
  const [found] = await catalog.selectRows<{ record: string }>(
    `select record from catalog.cve_detail where cve_key = catalog.cve_key('${ID}') and source = '${source}'`,
  )
  return found && JSON.parse(found.record)
}

/** Products as `name affected? versions`, each version with its status. */
async function readProducts(source?: string): Promise<readonly string[]> {
  const { products } = (await readDetail(source)).affected_products
  return products.map((each: { product: string; affected?: boolean; versions: readonly Version[] }) =>
    [each.product, each.affected ?? 'unknown', ...each.versions.map(describeVersion)].join(' '),
  )
}

interface Version {
  readonly affected: boolean
  readonly version: string | null
  readonly less_than: string | null
  readonly less_than_or_equal: string | null
  readonly product_status?: string
  readonly stated?: string
}

function describeVersion({ version, less_than: before, less_than_or_equal: through, product_status: status }: Version) {
  const end = before !== null ? `<${before}` : through !== null ? `<=${through}` : ''
  return `[${version ?? ''}${end} ${status}]`
}

/** Rows as `source product versions verdict`. */
const readRows = async () =>
  (
    await catalog.selectRows<{ text: string }>(`
      select concat_ws(' ', source, product, versions::text, low || '+', '<' || high, 'fix ' || fixed,
                       case when is_vague then 'vague' when is_affected then 'affected' else 'unaffected' end,
                       justification) as text
        from catalog.affected
        join catalog.affected_name using (name_key)
       order by source, is_affected desc, nr
    `)
  ).map(({ text }) => text)

describe('Publisher: product statuses of CSAF documents', () => {
  it.each([
    ['known_affected', 'Router true [2.1 known_affected]'],
    ['first_affected', 'Router true [2.1 first_affected]'],
    ['last_affected', 'Router true [2.1 last_affected]'],
    ['fixed', 'Router false [2.1 fixed]'],
    ['first_fixed', 'Router false [2.1 first_fixed]'],
    ['recommended', 'Router false [2.1 recommended]'],
    ['known_not_affected', 'Router false [2.1 known_not_affected]'],
    ['under_investigation', 'Router unknown [2.1 under_investigation]'],
  ])('the status %s reaches the record with product and version', async (status, expected) => {
    await publish({ product_status: { [status]: ['R21'] } })
    expect(await readProducts()).toEqual([expected])
  })

  it.each([
    ['R-before-24', '[2.0<2.4 known_affected]', 'vers:generic/>=2.0|<2.4'],
    ['R-words', '[<2.4 known_affected]', 'All versions prior to V2.4'],
    ['R-all', '[0<* known_affected]', 'vers:all/*'],
    ['R-unread', '[<= serial numbers of spring known_affected]', undefined],
  ])('the range of %s is read, and the text stays beside the limits', async (id, range, stated) => {
    await publish({ product_status: { known_affected: [id] } })
    expect(await readProducts()).toEqual([`Router true ${range}`])
    const [product] = (await readDetail()).affected_products.products
    expect(product.versions[0].stated).toBe(stated)
  })

  it('all versions of a product are one entry, whatever their status', async () => {
    await publish({ product_status: { known_affected: ['R21', 'R22', 'S1'], fixed: ['R24'] } })
    expect(await readProducts()).toEqual([
      'Router true [2.4 fixed] [2.1 known_affected] [2.2 known_affected]',
      'Switch true [1.0 known_affected]',
    ])
  })

  it('a product that the document does not define is named by its id, and matches nothing', async () => {
    await publish({ product_status: { known_affected: ['NOWHERE'] } })
    expect(await readProducts()).toEqual(['NOWHERE true [ known_affected]'])
    expect(await readRows()).toEqual([])
  })
})

describe('Publisher: matching rows of CSAF documents', () => {
  it.each([
    ['single versions', { known_affected: ['R21', 'R22'] }, ['derived:csaf-cisco router {2.1,2.2} affected']],
    ['a range', { known_affected: ['R-before-24'] }, ['derived:csaf-cisco router 2.0+ <2.4 fix 2.4 affected']],
    ['all versions', { known_affected: ['R-all'] }, ['derived:csaf-cisco router affected']],
    ['a product without a version', { known_affected: ['Hub'] }, ['derived:csaf-cisco hub vague']],
    ['an unreadable range', { known_affected: ['R-unread'] }, ['derived:csaf-cisco router vague']],
    ['a version under investigation', { under_investigation: ['R21'] }, ['derived:csaf-cisco router vague']],
    ['an unaffected version', { known_not_affected: ['R21'] }, ['derived:csaf-cisco router {2.1} unaffected']],
    ['an unaffected product', { known_not_affected: ['Hub'] }, ['derived:csaf-cisco hub unaffected']],
    ['an unreadable unaffected range', { known_not_affected: ['R-unread'] }, []],
    ['a CPE name', { known_affected: ['S1'] }, ['csaf-cisco switch_os {1.0} affected']],
    ['a package', { known_affected: ['S-npm'] }, ['csaf-cisco acme-switch {3.0.0} affected']],
    [
      'affected and fixed versions',
      { known_affected: ['R21'], fixed: ['R24'] },
      ['derived:csaf-cisco router {2.1} affected', 'derived:csaf-cisco router {2.4} unaffected'],
    ],
    [
      'a version that is both affected and fixed: nobody knows',
      { known_affected: ['R21'], fixed: ['R21'] },
      ['derived:csaf-cisco router vague'],
    ],
  ])('%s', async (_what, statuses, expected) => {
    await publish({ product_status: statuses })
    expect(await readRows()).toEqual(expected)
  })

  it('a not-affected statement has its justification, in the record and in the row', async () => {
    await publish({
      product_status: { known_not_affected: ['R21', 'Hub'] },
      flags: [{ label: 'vulnerable_code_not_present', product_ids: ['R21'] }],
    })
    expect(await readRows()).toEqual([
      'derived:csaf-cisco hub unaffected',
      'derived:csaf-cisco router {2.1} unaffected vulnerable_code_not_present',
    ])
    const { products } = (await readDetail()).affected_products
    expect(products.map((each: { justification?: string }) => each.justification)).toEqual([
      'vulnerable_code_not_present',
      undefined,
    ])
  })
})

describe('Publisher: remediations of CSAF documents', () => {
  it.each([
    ['vendor_fix', 'fix'],
    ['workaround', 'workaround'],
    ['mitigation', 'mitigation'],
    ['no_fix_planned', 'none_planned'],
    ['none_available', 'none_available'],
  ])('the category %s is the kind %s', async (category, kind) => {
    await publish({
      product_status: { known_affected: ['R21', 'Hub'] },
      remediations: [{ category, details: 'Do this.', url: 'https://acme.example/fix', product_ids: ['R21', 'Hub'] }],
    })
    expect((await readDetail()).remediations).toEqual([
      {
        kind,
        // Cisco's terms do not allow serving its texts.
        text: null,
        url: 'https://acme.example/fix',
        source: 'csaf-cisco',
        applies_to: [
          { vendor: 'Acme', product: 'Router', version: '2.1', package_url: null },
          { vendor: 'Acme', product: 'Hub', version: null, package_url: null },
        ],
      },
    ])
  })

  it('the text is served if the terms of the publisher allow it', async () => {
    const remediations = [{ category: 'mitigation', details: 'Close the port.', product_ids: ['R-words'] }]
    const document = advisory('ICSA-26-001-01', ID, { product_status: { known_affected: ['R-words'] }, remediations })
    await storeCsaf(db, 'csaf-cisa', document)
    await catalog.publish()
    expect((await readDetail('csaf-cisa')).remediations).toEqual([
      {
        kind: 'mitigation',
        text: 'Close the port.',
        url: null,
        source: 'csaf-cisa',
        applies_to: [{ vendor: 'Acme', product: 'Router', version: 'All versions prior to V2.4', package_url: null }],
      },
    ])
  })

  it('those of Red Hat name the package and its fixed version', async () => {
    const product = {
      vendor: 'Red Hat',
      product: 'Tally 9',
      status: 'fixed',
      purl: 'pkg:rpm/redhat/tallyd',
      fixed: '1.2-3',
    }
    const remediations = [{ kind: 'fix', text: 'Update.', url: null, products: [0] }]
    await catalog.storeRecord('redhat', ID, { cve_id: ID, products: [product], remediations })
    await catalog.publish()
    expect((await readDetail('redhat')).remediations).toEqual([
      {
        kind: 'fix',
        text: 'Update.',
        url: null,
        source: 'redhat',
        applies_to: [{ vendor: 'Red Hat', product: 'Tally 9', version: '1.2-3', package_url: 'pkg:rpm/redhat/tallyd' }],
      },
    ])
  })

  it('records of other sources have them too', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, {}))
    await publish({
      scores: [{ cvss_v3: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', baseScore: 9.8 } }],
      product_status: { known_affected: ['R21'] },
      remediations: [{ category: 'workaround', details: 'None.', product_ids: ['R21'] }],
    })
    expect((await readDetail('nvd')).remediations).toMatchObject([{ kind: 'workaround', source: 'csaf-cisco' }])
  })
})

describe('Publisher: fixes in CSAF documents', () => {
  const readFixes = async () =>
    ((await readDetail()).fixes ?? []).map((each: { product: string; version: string; source: string }) =>
      [each.source, each.product, each.version].join(' '),
    )

  it.each([
    ['a fixed version', { known_affected: ['R21'], fixed: ['R24'] }, ['csaf-cisco Router 2.4']],
    ['a fixed version alone', { fixed: ['R24'] }, ['csaf-cisco Router 2.4']],
    ['the first fixed version', { known_affected: ['R21'], first_fixed: ['R24'] }, ['csaf-cisco Router 2.4']],
    ['the recommended version', { known_affected: ['R21'], recommended: ['R24'] }, ['csaf-cisco Router 2.4']],
    ['the end of an affected range', { known_affected: ['R-before-24'] }, ['csaf-cisco Router 2.4']],
    ['no unaffected version', { known_affected: ['R21'], known_not_affected: ['R24'] }, []],
  ])('%s is a fix', async (_what, statuses, expected) => {
    await publish({ product_status: statuses })
    expect(await readFixes()).toEqual(expected)
  })

  it('a remediation in words is evidence of a fix, and no version is read from it', async () => {
    await publish({
      product_status: { known_affected: ['R21'] },
      remediations: [{ category: 'vendor_fix', details: 'Update to 9.9.9.', product_ids: ['R21'] }],
    })
    expect(await readFixes()).toEqual([])
    const [{ sources }] = (await catalog.selectRows<{ sources: string }>(
      'select sources from catalog.cve_document',
    )) as [{ sources: string }]
    expect(JSON.parse(sources).values.fix.from).toEqual([[expect.any(Number), { value: 'vendor fix' }]])
  })

  it('the vendor comes before a coordinator that repeats it', async () => {
    const members = (fixed: string) => ({ product_status: { known_affected: ['R21'], fixed: [fixed] } })
    await storeCsaf(db, 'csaf-cisa', advisory('ICSA-26-001-01', ID, members('R22')))
    await publish(members('R24'))
    const { fixes } = await readDetail()
    expect(fixes).toMatchObject([
      { version: '2.4', source: 'csaf-cisco', rivals: [{ version: '2.2', source: 'csaf-cisa' }] },
    ])
  })
})

describe('Publisher: changes of CSAF documents', () => {
  it('a revised document replaces what the older one said', async () => {
    await publish({ product_status: { known_affected: ['R21'] } })
    await publish({ product_status: { fixed: ['R21'] } }, { version: '2', released: '2024-06-01T00:00:00Z' })
    expect(await readProducts()).toEqual(['Router false [2.1 fixed]'])
    expect(await readRows()).toEqual(['derived:csaf-cisco router {2.1} unaffected'])
  })

  it('a withdrawn document says nothing any longer', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID, {}))
    await publish({ product_status: { known_affected: ['R21'] } })
    await publish({}, { category: 'csaf_withdrawn' })
    expect(await readDetail()).toBeUndefined()
    expect(await readRows()).toEqual(['nvd router <2.4 fix 2.4 affected'])
  })

  it('a CVE that only a withdrawn document described is removed', async () => {
    await publish({ product_status: { known_affected: ['R21'] } })
    await publish({}, { category: 'csaf_withdrawn' })
    expect(await catalog.selectRows('select from catalog.cve')).toEqual([])
  })

  it('two documents of a publisher about one CVE are both in its record', async () => {
    await publish({ product_status: { known_affected: ['R21'] } })
    await publish({ product_status: { known_affected: ['Hub'] } }, {}, 'cisco-sa-hub-4712')
    expect([...(await readProducts())].sort()).toEqual([
      'Hub true [ known_affected]',
      'Router true [2.1 known_affected]',
    ])
    expect(await catalog.selectRows('select alias from catalog.alias order by 1')).toEqual([
      { alias: 'cisco-sa-hub-4712' },
      { alias: 'cisco-sa-router-4711' },
    ])
  })
})
