// Where to read on, and what to install.
import type { VendorReference } from '../../../domain/vendor-record.ts'
import { MITIGATION, type Remediation, VENDOR_FIX, type Vulnerability, WORKAROUND } from './vulnerability.ts'

const GUIDE = 'https://msrc.microsoft.com/update-guide/vulnerability/'
/** Microsoft gives an update the number of an article in its knowledge base. */
const ARTICLE = /^(?:KB)?(\d{6,8})$/i

/** As people look for them: `KB5041580`. */
export function knowledgeBaseArticles({ Remediations }: Vulnerability): readonly string[] {
  const articles = (Remediations ?? []).flatMap(({ Type, Description }) => {
    const number = Type === VENDOR_FIX ? ARTICLE.exec(Description?.Value?.trim() ?? '')?.[1] : undefined
    return number ? [`KB${number}`] : []
  })
  return [...new Set(articles)].sort()
}

/** Each address once, with all that is said of it. */
export function referencesOf({ Remediations }: Vulnerability, cveId: string): readonly VendorReference[] {
  const tags = new Map([[`${GUIDE}${cveId}`, new Set(['Vendor Advisory'])]])
  for (const [url, tag] of (Remediations ?? []).flatMap(addressesOf)) {
    const known = tags.get(url) ?? new Set()
    tags.set(url, known.add(tag))
  }
  return [...tags].map(([url, all]) => ({ url, tags: [...all] }))
}

/** In place of a version there may be the address of a page that tells it. */
function addressesOf(remediation: Remediation): [url: string, tag: string][] {
  const tag = tagOf(remediation)
  const { URL: url, FixedBuild } = remediation
  return [
    ...(tag && isAddress(url) ? [[url, tag] satisfies [string, string]] : []),
    ...(isAddress(FixedBuild) ? [[FixedBuild, 'Release Notes'] satisfies [string, string]] : []),
  ]
}

function tagOf({ Type, Description }: Remediation): string | undefined {
  if (Type === VENDOR_FIX) return /release notes/i.test(Description?.Value ?? '') ? 'Release Notes' : 'Patch'
  return Type === WORKAROUND || Type === MITIGATION ? 'Mitigation' : undefined
}

function isAddress(text: string | null | undefined): text is string {
  return /^https?:\/\//i.test(text ?? '') && URL.canParse(text ?? '')
}
