import { describe, expect, it } from 'vitest'
import { formatCpeName } from '../../../src/catalog/resolve/products/product-name-keys.ts'
import { type Alias, createNameDictionary } from '../../../src/catalog/resolve/products/product-names.ts'
import { resolve } from '../../../src/catalog/resolve/resolve.ts'
import { cisa, configurations, cpe, cve, override, resolved, sourceData } from '../builders.ts'

const name = (text: string) => {
  const [part = '', vendor = '', product = ''] = text.split(':')
  return { part, vendor, product }
}
const alias = (vendor: string, product: string, cpeName: string): Alias => ({ vendor, product, name: name(cpeName) })

function find(vendor: string, product: string, names: readonly string[], aliases: readonly Alias[] = []) {
  const dictionary = createNameDictionary()
  dictionary.add(names.map(name), aliases)
  return dictionary.find(vendor, product)?.map(formatCpeName)
}

describe('Dictionary of product names', () => {
  it.each([
    ["a company's legal form", 'Oracle Corporation', 'MySQL Server', 'a:oracle:mysql_server'],
    ['an operating system', 'Google', 'Android', 'o:google:android'],
    ['the vendor before the product', 'Cisco', 'Cisco Emergency Responder', 'a:cisco:emergency_responder'],
    ['a remark in parentheses', 'Synology', 'Synology Router Manager (SRM)', 'a:synology:router_manager'],
    ['a repository', 'librenms', 'librenms/librenms', 'a:librenms:librenms'],
    ['a vendor that NVD names differently', 'thorsten', 'phpMyFAQ', 'a:phpmyfaq:phpmyfaq'],
    ['a short product name from a vendor whose name NVD has extended', 'OpenSC', 'OpenSC', 'a:opensc_project:opensc'],
  ])("finds NVD's name for %s", (_, vendor, product, expected) => {
    expect(find(vendor, product, [expected])).toEqual([expected])
  })

  it('finds each product in a name that lists several', () => {
    expect(find('Apple', 'iOS and iPadOS', ['o:apple:ipados'])).toEqual(['o:apple:iphone_os', 'o:apple:ipados'])
    expect(find('Apple', 'iPadOS and Newton', ['o:apple:ipados'])).toBeUndefined()
  })

  it('finds each product in a list for which NVD mostly uses the name of one of them (CVE-2023-42883)', () => {
    const learnt = { ...alias('Apple', 'iOS and iPadOS', 'o:apple:ipados'), cveSample: 0xff }
    expect(find('Apple', 'iOS and iPadOS', ['o:apple:ipados'], [learnt])).toEqual([
      'o:apple:iphone_os',
      'o:apple:ipados',
    ])
    const chat = 'a:examplesoft:chat_and_email'
    expect(find('ExampleSoft', 'Chat and Email', [chat, 'a:examplesoft:chat', 'a:examplesoft:email'])).toEqual([chat])
    const unknown = { ...alias('ExampleSoft', 'Chat and Newton', 'a:examplesoft:chat'), cveSample: 0xff }
    expect(find('ExampleSoft', 'Chat and Newton', ['a:examplesoft:chat'], [unknown])).toEqual(['a:examplesoft:chat'])
  })

  it('finds both products in a name with a slash (CVE-2026-71038)', () => {
    const names = ['a:oracle:commerce_guided_search', 'a:oracle:commerce_experience_manager']
    const product = 'Oracle Commerce Guided Search / Oracle Commerce Experience Manager'
    expect(find('Oracle Corporation', product, names)).toEqual(names)
  })

  it('finds the vendor in the product name if the CNA names no vendor or only part of it (CVE-2024-22255)', () => {
    expect(find('', 'VMware ESXi', ['o:vmware:esxi'])).toEqual(['o:vmware:esxi'])
    expect(find('SUSE', 'openSUSE Leap', ['o:opensuse:leap'])).toEqual(['o:opensuse:leap'])
    expect(find('Example', 'VMware ESXi', ['o:vmware:esxi'])).toBeUndefined()
  })

  it.each([
    ['CVE-2020-3224', 'Cisco', 'Cisco IOS XE Software 16.11.1', 'o:cisco:ios_xe', { version: '16.11.1' }],
    ['CVE-2019-16009', 'Cisco', 'Cisco IOS 12.2(15)B', 'o:cisco:ios', { version: '12.2(15)B' }],
    ['CVE-2024-49382', 'Acronis', 'Acronis Cyber Protect 16', 'a:acronis:cyber_protect', { version: '16' }],
    [
      'CVE-2023-32182',
      'SUSE',
      'SUSE Linux Enterprise Desktop 15 SP5',
      'o:suse:linux_enterprise_desktop',
      { version: '15', update: 'SP5' },
    ],
    ['Windows', 'Microsoft', 'Windows Server 2012 R2', 'o:microsoft:windows_server_2012', { version: 'R2' }],
    ['Windows', 'Microsoft', 'Windows 10 Version 1809', 'o:microsoft:windows_10_1809', {}],
  ])('%s: finds the version at the end of the name of %s %s', (_, vendor, product, cpeName, version) => {
    const dictionary = createNameDictionary()
    dictionary.add([name(cpeName), name('o:microsoft:windows_server'), name('o:microsoft:windows_10')], [])
    expect(dictionary.find(vendor, product)).toEqual([{ ...name(cpeName), ...version }])
  })

  it('chooses the part that NVD uses for more CVEs (CVE-2022-20684)', () => {
    const dictionary = createNameDictionary()
    const wrong = { ...name('a:cisco:ios_xe'), cveSample: 0b1 }
    const right = { ...name('o:cisco:ios_xe'), cveSample: 0b110 }
    dictionary.add([right, wrong], [{ ...alias('Cisco', 'IOS XE Routers', 'a:cisco:ios_xe'), cveSample: 0b1 }])
    expect(dictionary.find('Cisco', 'Cisco IOS XE Software')).toEqual([right])
    expect(dictionary.find('Cisco', 'IOS XE Routers')).toEqual([right])
    dictionary.add([{ ...wrong, cveSample: 0b11110 }], [])
    expect(dictionary.find('Cisco', 'Cisco IOS XE Software')).toEqual([{ ...wrong, cveSample: 0b11110 }])
  })

  it('prefers the name with more CVEs to the same name with the vendor or the word "software"', () => {
    const dictionary = createNameDictionary()
    const often = (text: string) => ({ ...name(text), cveSample: 0b111 })
    const names = [name('a:vmware:vmware_esxi'), often('o:vmware:esxi'), name('o:cisco:ios_xr_software')]
    dictionary.add([...names, often('o:cisco:ios_xr')], [])
    expect(dictionary.find('n/a', 'VMware ESXi')).toBeUndefined()
    expect(dictionary.find('VMware', 'VMware ESXi')).toEqual([often('o:vmware:esxi')])
    expect(dictionary.find('', 'VMware ESXi')).toEqual([often('o:vmware:esxi')])
    expect(dictionary.find('Cisco', 'Cisco IOS XR Software')).toEqual([often('o:cisco:ios_xr')])
  })

  it('does not use the name in a wrong NVD entry (CVE-2020-3223)', () => {
    const names = ['a:oracle:cisco_ios_xe_software', 'o:cisco:ios_xe', 'a:oracle:database']
    const aliases = [alias('Cisco', 'Cisco IOS XE Software', 'a:oracle:cisco_ios_xe_software')]
    expect(find('Cisco', 'Cisco IOS XE Software', names, aliases)).toEqual(['o:cisco:ios_xe'])
  })

  it('uses the name that NVD uses for most CVEs of the product', () => {
    const of = (cpeName: string, cveSample: number) => ({ ...alias('Example', 'Fleet Manager', cpeName), cveSample })
    const often = of('a:example:fleet_manager_server', 0b1111)
    expect(find('Example', 'Fleet Manager', [], [often, of('a:example:manager', 0b1)])).toEqual([
      'a:example:fleet_manager_server',
    ])
    expect(find('Example', 'Fleet Manager', [], [of('a:example:fleet_manager_server', 0b1)])).toBeUndefined()
  })

  it('uses a name that shares no word with the product only if NVD uses it for at least eight of its CVEs', () => {
    const devices = alias('Samsung Mobile', 'Samsung Mobile Devices', 'o:samsung:android')
    const search = (cveSample: number) =>
      find('Samsung Mobile', 'Samsung Mobile Devices', [], [{ ...devices, cveSample }])
    expect(search(0xff)).toEqual(['o:samsung:android'])
    expect(search(0x7f)).toBeUndefined()
  })

  it('prefers the firmware to the device', () => {
    expect(find('TOTOLINK', 'A720R', ['h:totolink:a720r', 'o:totolink:a720r_firmware'])).toEqual([
      'o:totolink:a720r_firmware',
    ])
  })

  it("uses neither another vendor's product nor a short name that several projects use", () => {
    expect(find('Example', 'Event Manager', ['a:first:event_manager', 'a:second:event_manager'])).toBeUndefined()
    expect(find('Example', 'Portal', ['a:first:portal'])).toBeUndefined()
    expect(find('Ivanti', 'Secure Access Client', ['a:citrix:secure_access_client'])).toBeUndefined()
    expect(find('Example', 'Comments – Discussion Board', ['a:someone:comments'])).toBeUndefined()
    expect(
      find('Example', 'Marketing and Review Booster', ['a:oracle:marketing', 'a:x:review_booster']),
    ).toBeUndefined()
  })

  it("uses a learnt alias only if it is unambiguous and has a word in common with NVD's name", () => {
    const learnt = alias('Cisco', 'Cisco IOS XE Software', 'o:cisco:ios_xe')
    expect(find('Cisco', 'Cisco IOS XE Software', [], [{ ...learnt, product: 'IOS-XE Software' }])).toBeUndefined()
    expect(
      find('Qualcomm', 'Snapdragon', [], [alias('Qualcomm', 'Snapdragon', 'o:qualcomm:qcn_firmware')]),
    ).toBeUndefined()
    const manager = alias('Example', 'Fleet Manager', 'a:example:manager')
    expect(find('Example', 'Fleet Manager', [], [manager])).toEqual(['a:example:manager'])
    const other = alias('Example', 'Fleet Manager', 'a:example:fleet')
    expect(find('Example', 'Fleet Manager', [], [manager, other])).toBeUndefined()
  })

  it('marks derived matches, and those without an NVD name as unmapped', () => {
    const dictionary = createNameDictionary()
    dictionary.add([name('a:oracle:mysql_server')], [])
    const affected = (vendor: string, product: string) =>
      cve({ cna: { affected: [{ vendor, product, defaultStatus: 'affected' }] } })
    const matches = (vendor: string, product: string) =>
      resolve(sourceData([affected(vendor, product)]), dictionary)?.cpe.matches
    expect(matches('Oracle Corporation', 'MySQL Server')).toEqual([
      { vulnerable: true, criteria: 'cpe:2.3:a:oracle:mysql_server:*:*:*:*:*:*:*:*', derived: true },
    ])
    expect(matches('ExampleSoft', 'Router')).toEqual([
      { vulnerable: true, criteria: cpe('router'), derived: true, unmapped: true },
    ])
  })
})

describe('Vendor of a product that NVD does not know (CVE-2017-10340)', () => {
  const known = createNameDictionary()
  known.add(
    [
      name('a:oracle:database_server'),
      name('a:python:pip'),
      { ...name('a:trend_micro:agent'), cveSample: 0b11 },
      { ...name('a:trendmicro:manager'), cveSample: 0b1 },
      name('a:northgrid:lark'),
    ],
    [],
  )

  it.each([
    ['Oracle Corporation', 'oracle'],
    ['Python Software Foundation', 'python'],
    ['Trend Micro, Inc.', 'trend_micro'],
    ['North Grid Co., Ltd.', 'northgrid'],
  ])("is NVD's vendor for %s without the legal form", (vendor, expected) => {
    const affected = [{ vendor, product: 'Unheard of' }]
    expect(resolve(sourceData([cve({ cna: { affected } })]), known)?.cpe.matches).toMatchObject([
      { criteria: `cpe:2.3:a:${expected}:unheard_of:*:*:*:*:*:*:*:*`, derived: true, unmapped: true },
    ])
  })

  it.each(['ExampleSoft Corporation', 'Oracle Systems', 'Oracle Technologies Inc.', 'Inc.'])(
    'is not guessed for %s',
    (vendor) => {
      expect(known.findVendor(vendor)).toBeUndefined()
    },
  )
})

describe('CPE names that contradict the product name beside them (CVE-2021-43226)', () => {
  const known = createNameDictionary()
  known.add(['o:examplesoft:os_1809', 'o:examplesoft:os_2004', 'a:examplesoft:router'].map(name), [])
  const os = (release: string) => `cpe:2.3:o:examplesoft:os_${release}:*:*:*:*:*:*:*:*`
  const entry = (product: string, lessThan: string, ...cpes: readonly string[]) => ({
    vendor: 'ExampleSoft',
    product,
    cpes,
    versions: [{ status: 'affected', version: '10.0', lessThan, versionType: 'custom' }],
  })
  const list = (...affected: readonly object[]) =>
    resolve(sourceData([cve({ cna: { affected } })]), known)?.cpe.matches.map(
      ({ criteria, versionEndExcluding, derived }) => [criteria, versionEndExcluding, derived],
    )
  const older = entry('OS Version 1809', '10.0.17', os('1809'))

  it('give way to the product name if another entry bears their name', () => {
    expect(list(older, entry('OS Version 2004', '10.0.19', os('1809')))).toEqual([
      [os('1809'), '10.0.17', undefined],
      [os('2004'), '10.0.19', true],
    ])
    expect(list(older, entry('OS Version 2004', '10.0.19', os('2004'), os('1809')))).toEqual([
      [os('1809'), '10.0.17', undefined],
      [os('2004'), '10.0.19', undefined],
    ])
  })

  it('stay if no other entry bears their name, or if they name another product instead of another release', () => {
    expect(list(entry('OS Version 2004', '10.0.19', os('1809')))).toEqual([[os('1809'), '10.0.19', undefined]])
    expect(list(older, entry('Router', '2.4', os('1809')))).toEqual([
      [os('1809'), '10.0.17', undefined],
      [os('1809'), '2.4', undefined],
    ])
  })
})

describe('Resolver: commits, suppliers, packages and inverted ranges', () => {
  const product = { vendor: 'ExampleSoft', product: 'Router' }
  const affected = (version: string, more = {}) => ({ status: 'affected', version, ...more })
  const commits = [affected('1da177e4c3f4', { lessThan: '24256415d186' })]

  it("prefers the CNA's versions to CISA's commits", () => {
    const versions = [affected('2.0', { lessThan: '2.4' })]
    const adp = [cisa({ affected: [{ ...product, cpes: [cpe('router')], versions: commits }] })]
    expect(resolved([cve({ cna: { affected: [{ ...product, versions }] }, adp })]).cpe).toMatchObject({
      by: 'cna:apache',
      matches: [{ criteria: cpe('router'), versionStartIncluding: '2.0', versionEndExcluding: '2.4' }],
    })
  })

  it('marks a product given only by commits, matches any version of it, and keeps commits in configurations', () => {
    const adp = [cisa({ affected: [{ cpes: [cpe('router', '1da177e4c3f4')], versions: commits }] })]
    const marked = { vulnerable: true, criteria: cpe('router'), byCommits: true }
    expect(resolved([cve({ adp })]).cpe.matches).toEqual([marked])
    const limited = { vulnerable: true, criteria: cpe('router'), versionEndExcluding: '24256415d186a1b2' }
    const { cpe: found } = resolved([cve(), override(configurations(limited))])
    expect(found.matches).toEqual([marked])
    expect(found.configurations[0]?.nodes[0]?.matches).toEqual([limited])
  })

  it('keeps the version of a limit next to a commit, and all other members of the match', () => {
    const limits = { versionStartIncluding: '24256415d186a1b2', versionEndExcluding: '2.4' }
    const limited = { vulnerable: true, criteria: cpe('router'), matchCriteriaId: 'A-1', ...limits }
    expect(resolved([cve(), override(configurations(limited))]).cpe.matches).toEqual([
      { vulnerable: true, criteria: cpe('router'), matchCriteriaId: 'A-1', versionEndExcluding: '2.4' },
    ])
  })

  it('finds the same spelling of a vendor, in whatever order the names are added', () => {
    const often = { part: 'o', vendor: 'dlink', product: 'dir-823g', cveSample: 0b110 }
    const once = { part: 'o', vendor: 'd-link', product: 'dir-823g', cveSample: 0b1 }
    const alsoOnce = { ...often, cveSample: 0b1 }
    const findVendors = (...names: (typeof often)[]) => {
      const dictionary = createNameDictionary()
      dictionary.add(names, [])
      return dictionary.find('D-Link', 'DIR-823G')?.map(({ vendor }) => vendor)
    }
    expect([findVendors(often, once), findVendors(once, often)]).toEqual([['dlink'], ['dlink']])
    expect([findVendors(alsoOnce, once), findVendors(once, alsoOnce)]).toEqual([['d-link'], ['d-link']])
  })

  it("ranks a supplier's container before CISA's for products (decision E25)", () => {
    const supplier = {
      providerMetadata: { shortName: 'example-SADP' },
      affected: [{ ...product, cpes: [cpe('of-supplier')] }],
    }
    const adp = [cisa({ affected: [{ ...product, cpes: [cpe('of-cisa')] }] }), supplier]
    expect(resolved([cve({ adp })]).cpe).toMatchObject({
      by: 'adp:example-SADP',
      matches: [{ criteria: cpe('of-supplier') }],
    })
  })

  it('prefers the package that a CNA names to the distributions that contain it', () => {
    const upstream = {
      packageName: 'router',
      collectionURL: 'https://github.com/examplesoft/router',
      versions: [affected('0', { lessThan: '0.26.0' })],
    }
    const distribution = {
      vendor: 'Red Hat',
      product: 'Red Hat Enterprise Linux 8',
      packageName: 'router',
      cpes: ['cpe:/o:redhat:enterprise_linux:8'],
      defaultStatus: 'affected',
    }
    expect(resolved([cve({ cna: { affected: [upstream, distribution] } })]).cpe.matches).toEqual([
      { vulnerable: true, criteria: cpe('router'), versionEndExcluding: '0.26.0', derived: true },
    ])
    expect(resolved([cve({ cna: { affected: [distribution] } })]).cpe.matches).toHaveLength(1)
  })

  it('marks a range that starts after its end', () => {
    const versions = [affected('2404', { lessThan: '1' })]
    expect(resolved([cve({ cna: { affected: [{ ...product, versions }] } })]).cpe.matches).toMatchObject([
      { inverted: true },
    ])
    const range = {
      vulnerable: true,
      criteria: cpe('router'),
      versionStartIncluding: '2.0',
      versionEndExcluding: '2.0.0',
    }
    expect(resolved([cve(), override(configurations(range))]).cpe.matches).toMatchObject([{ inverted: true }])
  })
})
