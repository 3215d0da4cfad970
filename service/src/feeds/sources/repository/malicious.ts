// Reads a report of OpenSSF Malicious Packages (https://github.com/ossf/malicious-packages), which is in OSV format.
import { parseDateTime } from '../../../domain/instant.ts'
import { osvFormat, parseOsvContent, TOO_MANY_PRODUCTS } from '../../formats/osv-format.ts'
import { readText } from '../../schema-check.ts'
import { parseCveIds } from '../../stores/extract-ids.ts'
import type { RepositoryAdvisory } from './forms.ts'

export function readMalicious(raw: unknown): RepositoryAdvisory | string {
  if (!osvFormat.matches(raw)) return osvFormat.describeMismatch(raw)
  const { id, aliases, references } = raw
  if (!readText(raw, 'path')?.endsWith(`/${id}.json`)) return `the file of another report than "${id}"`
  const modified = parseDateTime(raw.modified)
  if (modified === undefined) return `the modification date is not a valid date-time: "${raw.modified}"`
  const published = raw.published ? parseDateTime(raw.published) : null
  if (published === undefined) return `the publication date is not a valid date-time: "${raw.published}"`
  const content = parseOsvContent(raw)
  if (content === undefined) return TOO_MANY_PRODUCTS
  const [cve = null, ...others] = parseCveIds(aliases ?? [])
  return {
    title: content.title,
    isWithdrawn: content.withdrawn,
    cve: others.length === 0 ? cve : null,
    aliases: (aliases ?? []).filter((alias) => others.length > 0 || alias !== cve),
    published,
    modified,
    products: content.products,
    urls: (references ?? []).map(({ url }) => url),
  }
}
