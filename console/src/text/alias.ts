// Ids of advisories and of other databases. The service knows further forms; these are those that people search for.

interface AliasForm {
  readonly issuer: string
  readonly pattern: RegExp
  /** Returns the address of the advisory at its issuer. */
  readonly toUrl?: (alias: string) => string
}

const FORMS: readonly AliasForm[] = [
  {
    issuer: 'GitHub',
    pattern: /^GHSA(?:-[0-9a-z]{4}){3}$/i,
    toUrl: (alias) => `https://github.com/advisories/${alias}`,
  },
  {
    issuer: 'Red Hat',
    pattern: /^RH[SBE]A-\d{4}:\d{3,6}$/i,
    toUrl: (alias) => `https://access.redhat.com/errata/${alias}`,
  },
  {
    issuer: 'Microsoft',
    pattern: /^KB\d{6,8}$/i,
    toUrl: (alias) => `https://support.microsoft.com/help/${alias.slice(2)}`,
  },
  { issuer: 'Zero Day Initiative', pattern: /^ZDI-(?:\d{2}-\d{3,5}|CAN-\d{3,6})$/i, toUrl: toZdiUrl },
  { issuer: 'JVN iPedia', pattern: /^JVNDB-\d{4}-\d{6}$/i },
  { issuer: 'Go', pattern: /^GO-\d{4}-\d{4,6}$/i, toUrl: (alias) => `https://pkg.go.dev/vuln/${alias}` },
  { issuer: 'RustSec', pattern: /^RUSTSEC-\d{4}-\d{4,6}$/i, toUrl: toRustUrl },
  { issuer: 'PyPA', pattern: /^PYSEC-\d{4}-\d{1,6}$/i, toUrl: (alias) => `https://osv.dev/vulnerability/${alias}` },
  { issuer: 'AlmaLinux', pattern: /^AL[SBE]A-\d{4}:[0-9A-Z-]{1,20}$/i },
]

function toZdiUrl(alias: string): string {
  return `https://www.zerodayinitiative.com/advisories/${alias}/`
}

function toRustUrl(alias: string): string {
  return `https://rustsec.org/advisories/${alias}.html`
}

/** Returns whether a text is the id of an advisory. */
export function isAlias(text: string): boolean {
  return findForm(text) !== undefined
}

/** Returns who issues ids of this form, or undefined if the form is not known. */
export function findIssuer(alias: string): string | undefined {
  return findForm(alias)?.issuer
}

/** Returns the address of an advisory at its issuer, if it is known. */
export function findAdvisoryUrl(alias: string): string | undefined {
  return findForm(alias)?.toUrl?.(alias)
}

function findForm(text: string): AliasForm | undefined {
  return FORMS.find(({ pattern }) => pattern.test(text))
}
