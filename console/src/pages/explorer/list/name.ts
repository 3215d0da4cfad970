// The name of a CVE and a summary in one line.
import { toSummary } from '../../../text/summary.ts'
import type { Row } from '../row.ts'

interface CveTitle {
  /** CISA's name of the vulnerability, or else the beginning of the description. */
  readonly title: string
  /** What the title does not say yet. */
  readonly summary: string
}

export function describeCve({ kev, description }: Row): CveTitle {
  const summary = toSummary(description)
  const name = withoutEnding(kev?.vulnerabilityName ?? '')
  return name ? { title: name, summary } : { title: summary, summary: '' }
}

const ENDING = ' vulnerability'

/** CISA ends every name with the same word. */
function withoutEnding(name: string): string {
  const text = name.trim()
  return text.toLowerCase().endsWith(ENDING) ? text.slice(0, -ENDING.length).trim() : text
}
