// Reads all statements about versions from the raw records of one CVE.
import { toAdvisoryProvider } from '../../../../domain/source/advisory-provider.ts'
import { readCpeKey, readCpeValues, readPurlKey, toPurlKey } from './name-keys.ts'
import type { RawCve, RawDebian, RawEuKev, RawKev, RawRecord } from './raw-cve.ts'
import { type Raw, toRaw, toRaws, toWordList, toWords } from './raw-json.ts'
import { ANY_CNA, NO_RANGE, type StatedRange, type Statement } from './statement.ts'

const NVD_ID = 'nvd@nist.gov'
const CISA_ADP_ID = '134c704f-9b21-4f2e-91b3-4a467353bcc0'

export function readStatements({ records, debian, kev, euKev }: RawCve): readonly Statement[] {
  return [
    ...records.flatMap(readRecord),
    ...debian.map(readDebian),
    ...readKevProduct('cisa-kev', kev),
    ...readKevProduct('eu-kev', euKev),
  ]
}

/** The catalogs of exploited vulnerabilities name a product and no versions. */
function readKevProduct(provider: string, entry: RawKev | RawEuKev | null): readonly Statement[] {
  if (entry === null || entry.isRemoved) return []
  const { vendor, product } = entry
  return [{ ...PLAIN, record: 'kev', provider, names: [], vendor, product, ranges: [], isAffectedByDefault: true }]
}

function readRecord(record: RawRecord): readonly Statement[] {
  const { source, content } = record
  switch (source) {
    case 'nvd':
      return readNvd(content)
    case 'cve':
      return readCveList(content)
    case 'overrides':
      return readConfigurations(toRaw(content['cve'])['configurations'], { record: source, provider: 'anchore' })
    default:
      return readVendor(source, content)
  }
}

function readNvd(content: Raw): readonly Statement[] {
  return [
    ...readConfigurations(content['configurations'], { record: 'nvd', provider: 'nvd' }),
    ...toRaws(content['affected']).flatMap((part) => {
      const provider = toNvdProvider(toWords(part['source']))
      return toRaws(part['affectedData']).map((each) => readProduct(each, { record: 'nvd', provider }))
    }),
  ]
}

/** Each database of package advisories is a provider of its own. */
export function readAdvisoryProvider(source: string, content: Raw): string {
  return source === 'osv' ? toAdvisoryProvider(toWords(content['database']) ?? 'unknown') : source
}

export function toNvdProvider(identifier: string | null): string {
  const id = identifier?.toLowerCase()
  if (id === NVD_ID) return 'nvd'
  return id === CISA_ADP_ID ? 'cisa-adp' : ANY_CNA
}

function readCveList(content: Raw): readonly Statement[] {
  return listContainers(content).flatMap(({ provider, container }) => [
    ...readConfigurations(container['cpeApplicability'], { record: 'cve', provider }),
    ...toRaws(container['affected']).map((each) => readProduct(each, { record: 'cve', provider })),
    ...toRaws(container['solutions']).map((each) => readSolution(each, { record: 'cve', provider })),
  ])
}

/** A text that may name fixed versions. */
function readSolution(solution: Raw, origin: Origin): Statement {
  const ranges = [{ ...NO_RANGE, status: 'unaffected' as const, only: toWords(solution['value']) }]
  return { ...PLAIN, ...origin, names: [], vendor: '', product: '', ranges, isProse: true }
}

export interface Container {
  readonly provider: string
  readonly container: Raw
}

export function listContainers(content: Raw): readonly Container[] {
  const containers = toRaw(content['containers'])
  const metadata = toRaw(content['cveMetadata'])
  const cna = toRaw(containers['cna'])
  const author = toRaw(cna['providerMetadata'])
  const name = toWords(author['shortName']) ?? toWords(metadata['assignerShortName'])
  return [
    { provider: name === null ? ANY_CNA : `cna:${toPlainName(name)}`, container: cna },
    ...toRaws(containers['adp']).map((container) => ({ provider: toAdpProvider(container), container })),
  ]
}

function toAdpProvider(container: Raw): string {
  const author = toRaw(container['providerMetadata'])
  const name = toWords(author['shortName']) ?? ''
  const isCisa = name.toLowerCase() === 'cisa-adp' || toWords(author['orgId'])?.toLowerCase() === CISA_ADP_ID
  return isCisa ? 'cisa-adp' : `adp:${toPlainName(name)}`
}

/** A provider's name may hold only letters, digits and a few marks (decision C23). */
function toPlainName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._&+-]+/gu, ' ').trim()
}

type Origin = Pick<Statement, 'record' | 'provider'>

/** Returns one statement per vulnerable CPE match. */
function readConfigurations(value: unknown, origin: Origin): readonly Statement[] {
  return toRaws(value)
    .flatMap((configuration) => toRaws(configuration['nodes']))
    .flatMap((node) => toRaws(node['cpeMatch']))
    .flatMap((match) => readMatch(match, origin) ?? [])
}

function readMatch(match: Raw, origin: Origin): Statement | undefined {
  const criteria = toWords(match['criteria']) ?? ''
  const key = readCpeKey(criteria)
  if (key === undefined) return undefined
  const [, vendor = '', product = '', version = '*', update = '*'] = readCpeValues(criteria)
  const only = version === '*' || version === '-' ? null : joinUpdate(version, update)
  const range: StatedRange = {
    ...NO_RANGE,
    only,
    from: toWords(match['versionStartIncluding']),
    after: toWords(match['versionStartExcluding']),
    before: toWords(match['versionEndExcluding']),
    through: toWords(match['versionEndIncluding']),
  }
  return { ...PLAIN, ...origin, names: [key], vendor, product, ranges: [range] }
}

function joinUpdate(version: string, update: string): string {
  return update === '*' || update === '' ? version : `${version} ${update}`
}

const PLAIN = {
  purl: null,
  release: null,
  versionsInNames: [],
  isProse: false,
  isOpenEnded: true,
  isAffectedByDefault: false,
  isUnaffectedByDefault: false,
  isUnknownByDefault: false,
} as const

function readProduct(entry: Raw, origin: Origin): Statement {
  const [cpes, purl] = [toWordList(entry['cpes']), toWords(entry['packageURL'])]
  const vendor = toWords(entry['vendor']) ?? ''
  const [named, packageName] = [toWords(entry['product']), toWords(entry['packageName'])]
  const status = toWords(entry['defaultStatus'])?.toLowerCase()
  const versions = toRaws(entry['versions'])
  const isAffected = status === 'affected' || versions.some((each) => toWords(each['status']) === 'affected')
  return {
    ...origin,
    names: [
      ...readCpeKeys(cpes),
      ...readPurlKeys(purl),
      ...(packageName === null
        ? []
        : [
            ...listRpmKeys(`rpm/${toRpmNamespace(`${vendor} ${named}`)}`, packageName),
            ...readRegistryKeys(toWords(entry['collectionURL']) ?? '', packageName),
          ]),
    ],
    vendor,
    product: [named, packageName].flatMap((each) => each ?? []).join(' '),
    purl,
    release: null,
    ranges: versions.map(readVersion),
    versionsInNames: isAffected || status === 'unaffected' ? readCpeVersions(cpes) : [],
    isProse: true,
    isOpenEnded: false,
    isAffectedByDefault: status === 'affected' || (status === undefined && versions.length === 0),
    isUnaffectedByDefault: status === 'unaffected',
    isUnknownByDefault: status === 'unknown',
  }
}

/** The package itself, and `virt:rhel/qemu-kvm` as the package qemu-kvm in a module. */
function listRpmKeys(namespace: string, packageName: string): readonly string[] {
  const [module, name] = packageName.split('/')
  if (module === undefined || name === undefined) return [toPurlKey(namespace, packageName)]
  return [toPurlKey(namespace, name), toPurlKey(`${namespace.replace(/^rpm/, 'rpmmod')}/${module}`, name)]
}

/** Purl types by a part of the registry's address. */
const REGISTRIES: readonly (readonly [RegExp, string])[] = [
  [/wordpress\.org\/plugins/i, 'wordpress/plugin'],
  [/wordpress\.org\/themes/i, 'wordpress/theme'],
  [/npmjs\./i, 'npm'],
  [/pypi\./i, 'pypi'],
  [/maven|mvnrepository/i, 'maven'],
  [/packagist\./i, 'composer'],
  [/rubygems\./i, 'gem'],
  [/crates\.io/i, 'cargo'],
  [/nuget\.org/i, 'nuget'],
  [/hex\.pm/i, 'hex'],
]

/** `group:artifact` and `@scope/name` are a namespace and a name. Some CNAs write the package's page, or end in a slash. */
function readRegistryKeys(address: string, packageName: string): readonly string[] {
  const type = REGISTRIES.find(([pattern]) => pattern.test(address))?.[1]
  if (type === undefined) return []
  const [, ofPage = packageName] = /^https?:\/\/.*\/([^/]+)\/?$/i.exec(packageName) ?? []
  const parts = ofPage.split(/[:/]/).filter((each) => each !== '')
  return [toPurlKey([type, ...parts.slice(0, -1)].join('/'), parts.at(-1) ?? '')]
}

function readCpeVersions(cpes: readonly string[]): readonly string[] {
  return cpes.flatMap((each) => {
    const [, , , version = '*', update = '*'] = readCpeValues(each)
    return ['', '*', '-'].includes(version) ? [] : joinUpdate(version, update)
  })
}

function readPurlKeys(purl: string | null): readonly string[] {
  const key = purl === null ? undefined : readPurlKey(purl)
  return key === undefined ? [] : [key]
}

function readCpeKeys(cpes: readonly string[]): readonly string[] {
  return cpes.flatMap((each) => readCpeKey(each) ?? [])
}

function toRpmNamespace(words: string): string {
  const plain = words.toLowerCase().replaceAll('red hat', 'redhat')
  return ['opensuse', 'suse', 'fedora', 'redhat'].find((each) => plain.includes(each)) ?? ''
}

function readVersion(entry: Raw): StatedRange {
  const status = toWords(entry['status'])?.toLowerCase()
  const [version, before, through] = [entry['version'], entry['lessThan'], entry['lessThanOrEqual']].map(toWords)
  const isAlone = (before ?? through ?? null) === null
  return {
    status: status === 'affected' || status === 'unaffected' ? status : 'unknown',
    only: isAlone ? (version ?? null) : null,
    from: isAlone ? null : (version ?? null),
    after: null,
    before: before ?? null,
    through: through ?? null,
    changes: toRaws(entry['changes'])
      .filter((each) => toWords(each['status'])?.toLowerCase() === 'unaffected')
      .flatMap((each) => toWords(each['at']) ?? []),
  }
}

/** GHSA, OSV databases, Red Hat and MSRC. A withdrawn advisory says nothing. */
function readVendor(source: string, content: Raw): readonly Statement[] {
  if (content['withdrawn'] === true) return []
  const provider = readAdvisoryProvider(source, content)
  return toRaws(content['products']).map((product) => {
    const [cpe, purl] = [toWords(product['cpe']), toWords(product['purl'])]
    const vendor = toWords(product['vendor']) ?? ''
    return {
      ...PLAIN,
      record: source,
      provider,
      names: [...readPurlKeys(purl), ...readModuleKeys(purl), ...(cpe === null ? [] : readCpeKeys([cpe]))],
      vendor,
      product: toWords(product['product']) ?? '',
      purl,
      release: purl === null ? null : readRelease(cpe, vendor),
      ranges: [readVendorRange(product)],
      versionsInNames: cpe === null ? [] : readCpeVersions([cpe]),
    }
  })
}

/** `pkg:rpmmod/redhat/nodejs:10/nodejs` is the package `pkg:rpm/redhat/nodejs` in the module nodejs:10. */
function readModuleKeys(purl: string | null): readonly string[] {
  const [, namespace, name] = /^pkg:rpmmod\/([^/]+)\/[^/]+\/([^/?#@]+)/i.exec(purl ?? '') ?? []
  return namespace === undefined || name === undefined ? [] : [toPurlKey(`rpm/${namespace}`, decodeURIComponent(name))]
}

/** `9` for `AlmaLinux:9`, `3.19` for `Alpine:v3.19`, and `enterprise_linux:9` for Red Hat's CPE name. */
function readRelease(cpe: string | null, vendor: string): string | null {
  if (cpe === null) return /^[a-z ]+:v?(.+)$/i.exec(vendor)?.[1] ?? null
  const [, , product, version] = readCpeValues(cpe)
  return [product, version]
    .filter((each) => each !== undefined && each !== '' && each !== '*' && each !== '-')
    .join(':')
}

function readVendorRange(product: Raw): StatedRange {
  const status = toWords(product['status'])
  const [from, before, through] = [product['introduced'], product['fixed'], product['last_affected']].map(toWords)
  const [after, unfixed] = [toWords(product['after']), toWords(product['before'])]
  const hasVersions = [from, before, through, after, unfixed].some((each) => each !== null && each !== undefined)
  const isAffected = status === 'affected' || status === 'under_investigation' || (status === 'fixed' && hasVersions)
  return {
    ...NO_RANGE,
    status: isAffected ? 'affected' : status === 'not_affected' ? 'unaffected' : 'unknown',
    from: from ?? null,
    after: after ?? null,
    before: before ?? unfixed ?? null,
    through: through ?? null,
  }
}

/** Version 0 means that the release never had the vulnerability. */
function readDebian({ package: product, release, status, fixedVersion }: RawDebian): Statement {
  const isAffected = fixedVersion !== '0'
  const before = isAffected && status !== 'undetermined' ? fixedVersion : null
  return {
    ...PLAIN,
    record: 'debian',
    provider: 'debian',
    names: [toPurlKey('deb/debian', product)],
    vendor: '',
    product,
    release,
    ranges: [{ ...NO_RANGE, status: isAffected ? 'affected' : 'unaffected', before }],
  }
}
