// The add-on `aliases`: the CVE's ids in other databases. They are read from a separate table.
import { aliasesSchema } from '../alias.ts'
import { defineAddOn } from '../cve-member.ts'

export const aliases = defineAddOn<'aliases', never>({
  name: 'aliases',
  schema: aliasesSchema,
  // The CVE with the most aliases has 600; most CVEs have none.
  size: { perCve: 4 * 1024, total: 256 * 1024 },
  render: ({ aliases: rows = [] }) => JSON.stringify(rows.map(toAlias)),
})

/** Splits the text that the query returns: the alias and its source, separated by a blank that neither contains. */
function toAlias(text: string): { readonly alias: string; readonly source: string } {
  const [alias = '', source = ''] = text.split(' ')
  return { alias, source }
}
