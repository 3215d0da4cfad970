import type { SourceDescriptor } from '../../domain/source/descriptor.ts'
import { DATA_SOURCES } from '../../domain/source/sources.ts'
import { type Html, html } from '../html.ts'
import type { GuidePage } from '../page.ts'

export const attributions: GuidePage = {
  path: '/docs/guide/attributions',
  title: 'Attributions',
  summary: 'The data sources, their terms and the notices to keep when you pass data on.',
  body: () => html`
<p>The service merges data from public sources. Some sources prescribe a notice or a license text, which this page quotes.
If you publish data from the service, keep the notices of the sources that the data came from:
<code>enrichment.vendor_tags</code> and <code>source_tag</code> name the sources of a record.</p>
${Object.values(DATA_SOURCES).map(renderSource)}
`,
}

function renderSource({ work, homepage, gives, terms, notice }: SourceDescriptor): Html {
  return html`<h2>${work}</h2>
<p><a href="${homepage}">${homepage.replace(/^https:\/\/|\/$/g, '')}</a> · provides ${gives} · <a href="${terms.url}">${terms.name}</a></p>
<blockquote><p>${notice}</p></blockquote>
`
}
