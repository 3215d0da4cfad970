// The add-on `aliases`: ids under which other databases know the CVE. They are read from a table of their own.
import { aliasesSchema } from '../alias.ts'
import { defineAddOn } from '../cve-member.ts'

export const aliases = defineAddOn<'aliases', never>({
  name: 'aliases',
  schema: aliasesSchema,
  // The CVE with the most aliases has 600 of them; most have none.
  size: { perCve: 4 * 1024, total: 256 * 1024 },
  render: ({ aliases: rows = [] }) => JSON.stringify(rows.map(toAlias)),
})

/** Splits the text that the query returns: the alias, a blank and its source. Neither part contains a blank. */
function toAlias(text: string): { readonly alias: string; readonly source: string } {
  const [alias = '', source = ''] = text.split(' ')
  return { alias, source }
}
