// Lists other identifiers of a CVE: ids of imported advisories, and ids in the addresses of its references.
import { HELD_FORMS, parseAlias } from '../../domain/source/alias.ts'
import type { Claim } from '../model/claim.ts'
import type { Resolved } from '../model/resolved.ts'
import { compareText } from '../resolve/precedence.ts'
import { stripRole } from '../sources/provider.ts'
import type { Alias } from './published.ts'

/** Source of an alias that occurs only in an address. */
const REFERENCE = 'reference'

/** Some CVEs are fixed in hundreds of advisories. */
const MAX_ALIASES = 500

/**
 * Returns the aliases sorted and without duplicates. If a feed and a reference name the same id, the feed is its
 * source.
 */
export function listAliases({ claims, references }: Pick<Resolved, 'claims' | 'references'>): readonly Alias[] {
  const named = [...claims.flatMap(readAdvisories), ...references.flatMap(({ url }) => readAddress(url))]
  if (named.length === 0) return named
  const first = new Map<string, Alias>()
  for (const each of named) if (!first.has(each.alias)) first.set(each.alias, each)
  return [...first.values()].slice(0, MAX_ALIASES).sort((a, b) => compareText(a.alias, b.alias))
}

function readAdvisories({ advisories = [], provider }: Claim): readonly Alias[] {
  return advisories.flatMap((text) => toAlias(text, stripRole(provider)))
}

/** Finds an id between characters that are neither letters nor digits. */
// regex-bound: each pattern is linear, and an address has at most 8,000 characters
const ID = new RegExp(
  `(?<![A-Za-z\\d])(?:${HELD_FORMS.filter(({ isInAddresses }) => isInAddresses)
    .map(({ pattern }) => pattern.source.replace(/^\^|\$$/g, ''))
    .join('|')})(?![A-Za-z\\d])`,
  'gi',
)
/** A Microsoft article, as in `/kb/929969`, `?kbid=929969`, `/help/4012212` and `-kb5001330`. */
const ARTICLE = /(?:\bkb|\bkb\/|kbid=|\/help\/)(\d{6,8})(?!\d)/i
const MICROSOFT = /^https?:\/\/(?:[\w-]+\.)*microsoft\.com\//i

function readAddress(url: string): readonly Alias[] {
  // Most addresses contain no hyphen, so the cheap test comes first.
  const ids = url.includes('-') ? (toColon(url).match(ID) ?? []) : []
  const article = MICROSOFT.test(url) ? ARTICLE.exec(url)?.[1] : undefined
  const all = article === undefined ? ids : [...ids, `KB${article}`]
  return all.flatMap((text) => toAlias(text, REFERENCE))
}

/** Older Red Hat pages have a hyphen where the id has a colon: `RHSA-2002-166.html`. */
function toColon(url: string): string {
  return url.replaceAll(/(RH[SBE]A-\d{4})(?:-|%3A)/gi, '$1:')
}

function toAlias(text: string, source: string): readonly Alias[] {
  const alias = parseAlias(text)
  return alias === undefined ? [] : [{ alias, source }]
}
