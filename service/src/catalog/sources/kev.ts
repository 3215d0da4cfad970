// Reads CISA's text, the links in the notes, the weaknesses and the date added from a KEV entry (decision D18).
import type { CveId } from '../../domain/cve-id.ts'
import { parseDate } from '../../domain/instant.ts'
import type { Claim, Reference } from '../model/claim.ts'
import type { SourceData } from '../model/source-data.ts'
import { readReference } from './fields/read-reference.ts'
import { readWeakness } from './fields/read-weakness.ts'
import { cleanText } from './text/clean-text.ts'

export const CISA_KEV = 'cisa-kev'

/** Returns undefined if KEV does not list the CVE, or if CISA removed the entry. */
export function readKev({ cveId, kev }: SourceData): Claim | undefined {
  const added = kev === null || kev.removedAt !== null ? undefined : parseDate(kev.dateAdded)
  if (kev === null || added === undefined) return undefined
  return {
    source: 'kev',
    provider: CISA_KEV,
    modified: added,
    published: added,
    status: null,
    description: cleanText(kev.shortDescription.trim()) || null,
    tags: [],
    ratings: [],
    weaknesses: kev.cwes.flatMap((each) => readWeakness(each, CISA_KEV) ?? []),
    configurations: [],
    configurationsBy: CISA_KEV,
    affected: [],
    references: readLinks(cveId, kev.notes ?? ''),
    exploitation: null,
    fix: null,
    severityWord: null,
  }
}

const LINK = /https?:\/\/[^\s;"<>]+/gi

/** Leaves out links to NVD's page for the CVE and to directives. */
function readLinks(cveId: CveId, notes: string): readonly Reference[] {
  return (notes.match(LINK) ?? [])
    .map(trimPunctuation)
    .filter((url) => !isOwnNvdPage(url, cveId) && !isDirective(url))
    .flatMap((url) => readReference(url, CISA_KEV, []) ?? [])
}

/** A closing parenthesis belongs to the sentence if the link contains no opening one. */
function trimPunctuation(link: string): string {
  const punctuation = link.includes('(') ? ".,:'" : ".,:')"
  let end = link.length
  while (end > 0 && punctuation.includes(link.charAt(end - 1))) end -= 1
  return link.slice(0, end)
}

const NVD_PAGE = /^https?:\/\/nvd\.nist\.gov\/vuln\/detail\/(CVE-\d+-\d+)/i

function isOwnNvdPage(url: string, cveId: CveId): boolean {
  return NVD_PAGE.exec(url)?.[1]?.toUpperCase() === cveId
}

const CISA_PAGE = /^https?:\/\/(?:www\.)?(?:cisa|cyber\.dhs)\.gov(\/.*)$/i

/** Since 2026-06-11 every entry links to the same two pages of directive BOD 26-04, which say nothing about the CVE. */
function isDirective(url: string): boolean {
  const path = CISA_PAGE.exec(url)?.[1] ?? ''
  return /directive|^\/(?:bod|ed)\//i.test(path)
}
