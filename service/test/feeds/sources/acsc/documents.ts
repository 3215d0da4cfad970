// Builds RSS feeds, notice pages and list pages in the format of the ACSC website, with invented texts.
export const LIST = '/about-us/view-all-content/alerts-and-advisories'
export const SITE = 'https://www.cyber.gov.au'

export interface RssItemFixture {
  readonly slug: string
  readonly title?: string
  readonly link?: string
  readonly description?: string
  readonly published?: string
}

export interface PageFixture {
  readonly slug: string
  readonly status?: string
  readonly first?: string
  readonly updated?: string
  readonly body?: string
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const buildElement = (name: string, text: string) => (text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`)

function buildRssItem({ slug, title, link, description, published }: RssItemFixture, site = SITE): string {
  return `<item>
    ${buildElement('title', title ?? `About ${slug}`)}
    ${buildElement('link', link ?? `${site}${LIST}/${slug}`)}
    ${buildElement('description', description ?? `<p>Summary of ${slug}.</p>`)}
    ${buildElement('pubDate', published ?? 'Fri, 21 Aug 2026 10:00:00 +1000')}
    <guid isPermaLink="false">${slug} at ${site}</guid><category>Alert</category>
  </item>`
}

export function rss(items: readonly RssItemFixture[], site = SITE): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xml:base="${site}/"><channel><title>Alerts</title><link>${site}</link><description/>
  ${items.map((each) => buildRssItem(each, site)).join('\n  ')}
</channel></rss>`
}

export function noticePage({ slug, status, first, updated, body }: PageFixture, site = SITE): string {
  return `<!DOCTYPE html><html><head><link rel="canonical" href="${site}${LIST}/${slug}">
<meta name="description" content="In short: ${slug}."><title>${slug} | Cyber.gov.au</title></head>
<body><nav><a href="${LIST}/not-this-one">CVE-1999-1111</a></nav><main><h1>About ${slug}</h1>
<p>First published: ${first ?? '21 Aug 2026'}</p><p>Last updated: ${updated ?? '21 Aug 2026'}</p>
${status === undefined ? '' : `<div>Alert status</div><div>${status}</div>`}
${body ?? ''}</main><footer>CVE-1999-2222</footer></body></html>`
}

export function listPage(slugs: readonly string[]): string {
  const rows = slugs.map((slug) => `<div class="views-row"><a href="${LIST}/${slug}">${slug}</a></div>`).join('')
  return `<!DOCTYPE html><html><body><nav><a href="${LIST}/from-the-menu">Menu</a></nav><main><h1>All notices</h1>
${rows}<a href="${LIST}?page=1">Next</a><a href="/about-us">About</a><a href="${LIST}/a/b">Deeper</a>
<a href="https://elsewhere.example${LIST}/foreign">Foreign</a></main></body></html>`
}
