// Reads what sources without a record of their own say about a CVE that neither NVD nor the CVE List has (decision E32):
// ENISA's and Debian's lists, and public exploits. PoC-in-GitHub is left out: anybody can name a repository after a CVE.
import type { CveId } from '../../domain/cve-id.ts'
import { parseDate, UNDATED } from '../../domain/instant.ts'
import type { DescribingSource } from '../../domain/source/source.ts'
import type { Claim, Provider } from '../model/claim.ts'
import type { ExploitItem, SourceData } from '../model/source-data.ts'
import { cleanText } from './text/clean-text.ts'

export function readEvidence({ cveId, euKev, debian, exploits }: SourceData): readonly Claim[] {
  const listedOn = euKev === null || euKev.removedAt !== null ? undefined : parseDate(euKev.dateListed)
  return [
    ...(listedOn === undefined ? [] : [createClaim('eukev', 'eu-kev', { published: listedOn })]),
    // Debian has no licence, so its texts are not stored.
    ...(debian.some(({ isDescribed }) => isDescribed) ? [createClaim('debian', 'debian', {})] : []),
    ...exploits.flatMap((item) => readExploit(cveId, item)),
  ]
}

/** An item's date is not the time of a change to its record (decision C11). */
function readExploit(cveId: CveId, { feed, title, published }: ExploitItem): readonly Claim[] {
  if (feed === 'poc') return []
  const day = published === null ? undefined : parseDate(published)
  // Exploits older than the id are often about another flaw of the product.
  const isPlausible = day !== undefined && day.getUTCFullYear() >= Number(cveId.slice(4, 8))
  return [
    createClaim(feed, feed, {
      published: isPlausible ? day : null,
      description: cleanText(title).trim() || null,
    }),
  ]
}

function createClaim(
  source: DescribingSource,
  provider: Provider,
  {
    modified = UNDATED,
    published = null,
    description = null,
  }: Partial<Pick<Claim, 'modified' | 'published' | 'description'>>,
): Claim {
  return {
    source,
    provider,
    modified,
    published,
    status: null,
    description,
    tags: [],
    ratings: [],
    weaknesses: [],
    configurations: [],
    configurationsBy: provider,
    affected: [],
    references: [],
    exploitation: null,
    fix: null,
    severityWord: null,
  }
}
