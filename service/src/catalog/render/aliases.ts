// Lists other identifiers of a CVE: the ids of its advisories, as stated by those that issue them (decision E32).
// Ids in links are not aliases, because a link may lead to the advisory of a related CVE.
import { isIssuedBy, parseAlias } from '../../domain/source/alias.ts'
import type { Claim } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import { compareText } from '../resolve/precedence.ts'
import { stripRole, toAdvisoryIssuer } from '../sources/provider.ts'
import type { Alias } from './published.ts'

/** Some CVEs are fixed in hundreds of advisories. */
const MAX_ALIASES = 500

/** Returns the aliases sorted and without duplicates. */
export function listAliases({ claims }: Pick<Resolved, 'claims'>): readonly Alias[] {
  const named = claims.flatMap(readAdvisories)
  if (named.length === 0) return named
  const distinct = new Map(named.map((each) => [each.alias, each]))
  return [...distinct.values()].slice(0, MAX_ALIASES).sort((a, b) => compareText(a.alias, b.alias))
}

function readAdvisories({ advisories = [], provider }: Claim): readonly Alias[] {
  const issuer = toAdvisoryIssuer(provider)
  return advisories.flatMap((text) => {
    const alias = parseAlias(text)
    return alias !== undefined && isIssuedBy(alias, issuer) ? [{ alias, source: stripRole(issuer) }] : []
  })
}
