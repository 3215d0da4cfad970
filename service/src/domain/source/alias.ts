// Ids that advisories and other databases give to a CVE, such as GHSA-jfh8-c2jp-5v3q.
import { type CveId, parseCanonicalCveId } from '../cve-id.ts'
import type { AliasForm } from './descriptor.ts'
import { DATA_SOURCES } from './sources.ts'

declare const proven: unique symbol

/** An id of a known form in its usual spelling. The catalog need not contain it. */
export type Alias = string & { readonly [proven]: 'Alias' }

/** Recognised although no source that issues such ids is imported. */
export const UNHELD_FORMS: readonly AliasForm[] = [
  {
    name: 'ZDI',
    pattern: /^ZDI-(?:\d{2}-\d{3,5}|CAN-\d{3,6})$/,
    example: 'ZDI-23-1471',
    issuer: 'Zero Day Initiative',
  },
  { name: 'JVNDB', pattern: /^JVNDB-\d{4}-\d{6}$/, example: 'JVNDB-2021-005429', issuer: 'JVN iPedia' },
  { name: 'EUVD', pattern: /^EUVD-\d{4}-\d{1,7}$/, example: 'EUVD-2021-31351', issuer: 'ENISA' },
  { name: 'GCVE', pattern: /^GCVE-\d{1,5}-\d{4}-\d{4,14}$/, example: 'GCVE-1-2025-0001', issuer: 'GCVE' },
]

/** Forms of the aliases in the catalog. */
export const HELD_FORMS: readonly AliasForm[] = Object.values(DATA_SOURCES).flatMap(
  ({ advisories }) => advisories ?? [],
)

const FORMS_BY_PROVIDER: ReadonlyMap<string, AliasForm> = new Map(
  Object.values(DATA_SOURCES).flatMap(({ advisories, providers = {} }) =>
    advisories === undefined ? [] : Object.keys(providers).map((provider) => [provider, advisories] as const),
  ),
)

/** True if the id has the form of the provider's own advisories. Other databases name such ids too, and can be wrong. */
export function isIssuedBy(alias: Alias, provider: string): boolean {
  return FORMS_BY_PROVIDER.get(provider)?.pattern.test(alias) ?? false
}

/** Longer text is not compared with the patterns. */
const MAX_LENGTH = 104

/** Accepts any letter case; returns undefined for text of no known form. */
export function parseAlias(text: string): Alias | undefined {
  // Only ASCII is converted: toUpperCase would map some other letters to ASCII letters.
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text)) return undefined
  for (const form of [...HELD_FORMS, ...UNHELD_FORMS]) {
    const spelt = spell(text, form)
    if (form.pattern.test(spelt)) return spelt as Alias
  }
  return undefined
}

function spell(text: string, { name, isLowerCase }: AliasForm): string {
  if (isLowerCase === 'whole') return text.toLowerCase()
  const plain = text.toUpperCase()
  const upper = plain.startsWith(name.toUpperCase()) ? `${name}${plain.slice(name.length)}` : plain
  const end = upper.indexOf('-')
  return isLowerCase ? upper.slice(0, end) + upper.slice(end).toLowerCase() : upper
}

export function buildPageUrl(page: string, id: string): string {
  return page
    .replace('{id}', () => encodeURIComponent(id))
    .replace('{+id}', () => id)
    .replace('{digits}', () => id.replaceAll(/\D/g, ''))
}

/** GCVE's numbering authority 0 is the CVE Program, so GCVE-0-2021-44228 is CVE-2021-44228. */
export function toCveOfGcve(alias: Alias): CveId | undefined {
  return alias.startsWith('GCVE-0-') ? parseCanonicalCveId(`CVE-${alias.slice('GCVE-0-'.length)}`) : undefined
}
