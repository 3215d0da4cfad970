// Parses the references and knowledge base articles of a Microsoft vulnerability.
import type { VendorReference } from '../../../domain/source/vendor-record.ts'
import { MITIGATION, type Remediation, VENDOR_FIX, type Vulnerability, WORKAROUND } from './vulnerability.ts'

const GUIDE = 'https://msrc.microsoft.com/update-guide/vulnerability/'
/** Number of a knowledge base article. The description of a vendor fix is often such a number. */
const ARTICLE_NUMBER = /^(?:KB)?(\d{6,8})$/i

export function findKnowledgeBaseArticles({ Remediations }: Vulnerability): readonly string[] {
  const articles = (Remediations ?? []).flatMap(({ Type, Description }) => {
    const number = Type === VENDOR_FIX ? ARTICLE_NUMBER.exec(Description?.Value?.trim() ?? '')?.[1] : undefined
    return number ? [`KB${number}`] : []
  })
  return [...new Set(articles)].sort()
}

/**
 * Returns the page of the CVE in the Security Update Guide, and each URL of the remediations (Microsoft's entries about
 * fixes) once, with all tags that these imply.
 */
export function parseReferences({ Remediations }: Vulnerability, cveId: string): readonly VendorReference[] {
  const guide = `${GUIDE}${cveId}`
  const tags = new Map([[guide, new Set<string>()]])
  for (const [url, tag] of (Remediations ?? []).flatMap(parseRemediation)) {
    const known = tags.get(url) ?? new Set()
    tags.set(url, known.add(tag))
  }
  // Documents link to no page of the CVE itself.
  return [...tags].map(([url, all]) => ({ url, tags: [...all], ...(url === guide && { built: true as const }) }))
}

/** FixedBuild can be the URL of a release notes page instead of a version. */
function parseRemediation(remediation: Remediation): [url: string, tag: string][] {
  const tag = chooseTag(remediation)
  const { URL: url, FixedBuild } = remediation
  return [
    ...(tag && isHttpUrl(url) ? [[url, tag] satisfies [string, string]] : []),
    ...(isHttpUrl(FixedBuild) ? [[FixedBuild, 'Release Notes'] satisfies [string, string]] : []),
  ]
}

function chooseTag({ Type, Description }: Remediation): string | undefined {
  if (Type === VENDOR_FIX) return /release notes/i.test(Description?.Value ?? '') ? 'Release Notes' : 'Patch'
  return Type === WORKAROUND || Type === MITIGATION ? 'Mitigation' : undefined
}

function isHttpUrl(text: string | null | undefined): text is string {
  return /^https?:\/\//i.test(text ?? '') && URL.canParse(text ?? '')
}
