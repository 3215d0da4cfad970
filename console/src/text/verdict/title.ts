// The name of a CVE: the one under which CISA lists it, or else the beginning of its description.
import type { Cve } from 'vis-sdk'
import { toSummary } from '../summary.ts'

/** Two lines of a heading. */
const MAX_TITLE_LENGTH = 120

/** Returns undefined if no source names or describes the CVE. The text comes from upstream. */
export function nameCve({ kev, description }: Pick<Cve, 'kev' | 'description'>): string | undefined {
  const name = kev?.vulnerabilityName?.trim() ?? ''
  if (name !== '') return cutTitle(name.replace(/ Vulnerability$/i, ''))
  // The kernel's descriptions begin with the subject of a commit, followed by a blank line.
  const [paragraph = ''] = toSummary(description)
    .replace(/^Rejected reason:\s*/i, '')
    .trim()
    .split(/\n\s*\n/, 1)
  const summary = paragraph.replace(/\s+/g, ' ')
  return summary === '' ? undefined : cutTitle(summary)
}

/** Cuts after the first sentence, or else between two words. A full stop inside a version ends no sentence. */
function cutTitle(text: string): string {
  const [sentence = text] = text.split(/(?<=[^.])\.\s/, 1)
  const title = sentence.replace(/\.$/, '')
  if (title.length <= MAX_TITLE_LENGTH) return title
  const cut = title.slice(0, MAX_TITLE_LENGTH).toWellFormed()
  const blank = cut.lastIndexOf(' ')
  return `${cut.slice(0, blank > MAX_TITLE_LENGTH / 2 ? blank : undefined)} …`
}
