// Parses an advisory file of GitHub's advisory repository, in OSV format.
import { type OsvAdvisory, parseOsvContent, parseReferences } from '../../formats/osv-format.ts'
import { type Advisory, advisoryPage } from './advisory.ts'

export function parseOsvAdvisory(raw: OsvAdvisory): Advisory {
  return {
    id: raw.id,
    cve: findCveId(raw.aliases ?? []),
    modified: raw.modified,
    published: raw.published ?? null,
    content: { ...parseOsvContent(raw), references: parseReferences(advisoryPage(raw.id), raw.references ?? []) },
  }
}

/** Returns the CVE id among the aliases of an advisory. GitHub assigns at most one CVE to an advisory. */
function findCveId(aliases: readonly string[]): string | null {
  return aliases.find((alias) => /^CVE-/i.test(alias)) ?? null
}
