// Names organisations. NVD identifies them by e-mail address or UUID, the CVE List by short name (decision C23).
import type { Provider } from '../model/claim.ts'
import { ORGANISATIONS } from './organisations.ts'

export const NVD: Provider = 'nvd'
export const CISA_ADP: Provider = 'cisa-adp'

const CISA_ADP_ID = '134c704f-9b21-4f2e-91b3-4a467353bcc0'
const UUID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const MAX_NAME_LENGTH = 64
const UNKNOWN = 'unknown'

/** In an NVD record, every provider other than NVD and CISA is a CNA. */
export function toNvdProvider(identifier: string | null): Provider {
  const name = toOrganisationName(identifier)
  return name === NVD || name === CISA_ADP ? name : `cna:${name}`
}

/** Returns the CVE List's short name, else the domain of the e-mail address or the first part of the UUID. */
export function toOrganisationName(identifier: string | null): string {
  if (identifier === null) return UNKNOWN
  const key = identifier.toLowerCase()
  const known = ORGANISATIONS.get(key)
  if (known !== undefined) return known
  const fallback = UUID.exec(key)?.[1] ?? key.slice(key.lastIndexOf('@') + 1)
  return toPlainName(fallback)
}

/** A vendor's comment in an NVD record is attributed to the vendor's name, such as `Red Hat`. */
export function toCommentProvider(organization: string | null): Provider {
  return organization === null ? NVD : toPlainName(organization)
}

export function toCveListProvider(part: 'cna' | 'adp', shortName: string | null, orgId: string | null): Provider {
  if (part === 'adp' && orgId?.toLowerCase() === CISA_ADP_ID) return CISA_ADP
  const name = shortName === null ? toOrganisationName(orgId) : toPlainName(shortName)
  return part === 'adp' && name.toLowerCase() === CISA_ADP ? CISA_ADP : `${part}:${name}`
}

/** Returns the short name of the CNA that assigned a CVE id. */
export function toAssigner(shortName: string | null, identifier: string | null): string | undefined {
  const name = shortName === null ? toOrganisationName(identifier) : toPlainName(shortName)
  return name === UNKNOWN ? undefined : name
}

/** GitHub issues GHSA ids, and names them in the records that it writes as a CNA. */
const GITHUB_CNA = 'cna:GitHub_M'
const GITHUB: Provider = 'ghsa'

/** Returns the provider of GitHub's advisories for GitHub's records in the CVE List, else the provider itself. */
export function toAdvisoryIssuer(provider: Provider): Provider {
  return provider === GITHUB_CNA ? GITHUB : provider
}

/** Provider of a container that a supplier adds to a CVE List record about its own products (decision E25). */
const SUPPLIER = /^adp:.*-SADP$/i

export function isSupplier(provider: Provider): boolean {
  return SUPPLIER.test(provider)
}

/** True if the provider added a container about products that are not its own. */
export function isAdp(provider: Provider): boolean {
  return provider === CISA_ADP || (provider.startsWith('adp:') && !isSupplier(provider))
}

/** Removes the prefix `cna:`, `adp:` or `osv:`. */
export function stripRole(provider: Provider): string {
  return provider.replace(/^(?:cna|adp|osv):/, '')
}

/** Upstream names may contain any text. */
function toPlainName(text: string): string {
  const plain = text.replaceAll(/[^\p{L}\p{N}._&+-]+/gu, ' ').trim()
  return plain.slice(0, MAX_NAME_LENGTH) || UNKNOWN
}
