// Parses an advisory file of GitHub's advisory repository, in OSV format.
import type { Rejected } from '../../feed.ts'
import { type OsvAdvisory, parseOsvContent, parseReferences, TOO_MANY_PRODUCTS } from '../../formats/osv-format.ts'
import { type Advisory, advisoryPage } from './advisory.ts'

export function parseOsvAdvisory(raw: OsvAdvisory): Advisory | Rejected {
  const content = parseOsvContent(raw)
  if (content === undefined) return { rejected: raw.id, reason: TOO_MANY_PRODUCTS }
  return {
    id: raw.id,
    cve: findCveId(raw.aliases ?? []),
    modified: raw.modified,
    published: raw.published ?? null,
    content: { ...content, references: parseReferences(advisoryPage(raw.id), raw.references ?? []) },
  }
}

/** Returns the CVE id among the aliases of an advisory. GitHub assigns at most one CVE to an advisory. */
function findCveId(aliases: readonly string[]): string | null {
  return aliases.find((alias) => /^CVE-/i.test(alias)) ?? null
}
