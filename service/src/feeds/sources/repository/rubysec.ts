// Reads an advisory of RubySec (https://github.com/rubysec/ruby-advisory-db#format).
import { Type } from 'typebox'
import { parseDate } from '../../../domain/instant.ts'
import { toAffectedProduct } from '../../formats/affected-package.ts'
import { compileSchema, optionalOrNull } from '../../schema-check.ts'
import type { RepositoryAdvisory } from './forms.ts'
import { findAffectedRanges } from './requirements.ts'

const Texts = optionalOrNull(Type.Array(Type.String()))

const FORM = compileSchema(
  Type.Object({
    gem: Type.String({ minLength: 1 }),
    platform: optionalOrNull(Type.String()),
    cve: optionalOrNull(Type.String()),
    ghsa: optionalOrNull(Type.String()),
    url: optionalOrNull(Type.String()),
    date: Type.String(),
    patched_versions: Texts,
    unaffected_versions: Texts,
    related: optionalOrNull(Type.Object({ url: Texts })),
  }),
)

export function readRubySec(raw: unknown): RepositoryAdvisory | string {
  if (!FORM.matches(raw)) return FORM.describeMismatch(raw)
  const { gem, platform, cve, ghsa, url, date, patched_versions, unaffected_versions, related } = raw
  const published = parseDate(date)
  if (published === undefined) return `the date is not a day: "${date}"`
  const ranges = findAffectedRanges(patched_versions ?? [], unaffected_versions ?? [])
  if (ranges === undefined) return 'a version requirement cannot be read'
  return {
    // Titles and descriptions may be those of OSVDB.
    title: null,
    cve: cve ? `CVE-${cve}` : null,
    aliases: ghsa ? [`GHSA-${ghsa}`] : [],
    published,
    modified: published,
    // A gem for one platform, such as JRuby, has the name and the versions of the others.
    products: platform
      ? []
      : ranges.map((range) => ({ ...toAffectedProduct({ ecosystem: 'RubyGems', name: gem }, range), ...range })),
    urls: [...(url ? [url] : []), ...(related?.url ?? [])],
  }
}
