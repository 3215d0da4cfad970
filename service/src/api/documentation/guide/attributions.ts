import { ATTRIBUTIONS, type Attribution } from '../../../contract/attributions.ts'
import { type Html, html } from '../html.ts'
import type { GuidePage } from '../page.ts'

export const attributions: GuidePage = {
  path: '/docs/guide/attributions',
  title: 'Attributions',
  summary: 'Whom we owe what we know. Whoever passes it on owes them the same.',
  body: () => html`
<p>The answers are put together from public sources. Some of them prescribe a sentence or a licence; those stand here in
their own words. If you publish what you got here, keep the notices of the sources it came from:
<code>enrichment.vendor_tags</code> and <code>source_tag</code> name those of a record.</p>
${ATTRIBUTIONS.map(section)}
`,
}

function section({ source, url, gives, terms, notice }: Attribution): Html {
  return html`<h2>${source}</h2>
<p><a href="${url}">${url.replace(/^https:\/\/|\/$/g, '')}</a> · gives ${gives} · <a href="${terms.url}">${terms.name}</a></p>
<blockquote><p>${notice}</p></blockquote>
`
}
