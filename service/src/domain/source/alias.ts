// Ids of advisories and of other databases that name a CVE, such as GHSA-jfh8-c2jp-5v3q, and their usual spelling.
import { type CveId, parseCanonicalCveId } from '../cve-id.ts'

declare const proven: unique symbol

/** An alias of a known form in its usual spelling. The catalog need not contain it. */
export type Alias = string & { readonly [proven]: 'Alias' }

interface AliasForm {
  readonly pattern: RegExp
  readonly example: string
  /** Organisation or database that issues the ids. */
  readonly issuer: string
  /** False if no feed of ours has ids of the form. */
  readonly isHeld: boolean
  /** Whether the letters after the first hyphen are in lower case. */
  readonly isLowerCase?: boolean
}

/** The forms that are recognised, by the first letters of their ids. The patterns expect the usual spelling. */
export const ALIAS_FORMS = {
  GHSA: {
    pattern: /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/,
    example: 'GHSA-jfh8-c2jp-5v3q',
    issuer: 'GitHub',
    isHeld: true,
    isLowerCase: true,
  },
  RHSA: { pattern: /^RH[SBE]A-\d{4}:\d{3,6}$/, example: 'RHSA-2021:5127', issuer: 'Red Hat', isHeld: true },
  KB: { pattern: /^KB\d{6,8}$/, example: 'KB5008212', issuer: 'Microsoft', isHeld: true },
  ZDI: {
    pattern: /^ZDI-(?:\d{2}-\d{3,5}|CAN-\d{3,6})$/,
    example: 'ZDI-23-1471',
    issuer: 'Zero Day Initiative',
    isHeld: true,
  },
  JVNDB: { pattern: /^JVNDB-\d{4}-\d{6}$/, example: 'JVNDB-2021-005429', issuer: 'JVN iPedia', isHeld: true },
  GO: { pattern: /^GO-\d{4}-\d{4,6}$/, example: 'GO-2021-0113', issuer: 'Go', isHeld: true },
  RUSTSEC: { pattern: /^RUSTSEC-\d{4}-\d{4,6}$/, example: 'RUSTSEC-2021-0078', issuer: 'RustSec', isHeld: true },
  PYSEC: { pattern: /^PYSEC-\d{4}-\d{1,6}$/, example: 'PYSEC-2021-66', issuer: 'PyPA', isHeld: true },
  ALSA: { pattern: /^AL[SBE]A-\d{4}:[A-Z0-9-]{1,20}$/, example: 'ALSA-2021:5226', issuer: 'AlmaLinux', isHeld: true },
  BIT: {
    pattern: /^BIT-[\w.-]{1,100}$/,
    example: 'BIT-nginx-2021-23017',
    issuer: 'Bitnami',
    isHeld: true,
    isLowerCase: true,
  },
  EUVD: { pattern: /^EUVD-\d{4}-\d{1,7}$/, example: 'EUVD-2021-31351', issuer: 'ENISA', isHeld: false },
  GCVE: { pattern: /^GCVE-\d{1,5}-\d{4}-\d{4,14}$/, example: 'GCVE-1-2025-0001', issuer: 'GCVE', isHeld: false },
} as const satisfies Readonly<Record<string, AliasForm>>

export type AliasFormName = keyof typeof ALIAS_FORMS

// The cast is safe: Object.keys returns the keys of ALIAS_FORMS.
export const ALIAS_FORM_NAMES = Object.keys(ALIAS_FORMS) as readonly AliasFormName[]

/** Maximum length of an alias. Longer text is not compared with the patterns. */
const MAX_LENGTH = 104

/** Reads an alias in any letter case. Returns undefined for text that has none of the known forms. */
export function parseAlias(text: string): Alias | undefined {
  return findForm(text)?.alias
}

/** Returns the name of the form of an alias, such as `GHSA`. */
export function getAliasForm(alias: Alias): AliasFormName {
  const found = findForm(alias)
  if (!found) throw new Error(`${alias} has no form of an alias.`)
  return found.form
}

function findForm(text: string): { readonly form: AliasFormName; readonly alias: Alias } | undefined {
  // Only ASCII is converted: toUpperCase would map some other letters to ASCII letters.
  if (text.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(text)) return undefined
  for (const form of ALIAS_FORM_NAMES) {
    const spec: AliasForm = ALIAS_FORMS[form]
    const spelt = spell(text, spec)
    if (spec.pattern.test(spelt)) return { form, alias: spelt as Alias }
  }
  return undefined
}

function spell(text: string, { isLowerCase = false }: AliasForm): string {
  const upper = text.toUpperCase()
  const end = upper.indexOf('-')
  return isLowerCase ? upper.slice(0, end) + upper.slice(end).toLowerCase() : upper
}

/**
 * Returns the CVE that an id of GCVE names by definition: the numbering authority 0 is the CVE Program, so
 * GCVE-0-2021-44228 is CVE-2021-44228.
 */
export function toCveOfGcve(alias: Alias): CveId | undefined {
  return alias.startsWith('GCVE-0-') ? parseCanonicalCveId(`CVE-${alias.slice('GCVE-0-'.length)}`) : undefined
}
