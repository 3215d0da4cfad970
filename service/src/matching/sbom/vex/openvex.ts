import { randomUUID } from 'node:crypto'
import { formatInstant } from '../../../domain/instant.ts'
import type { SelectedComponent } from '../../answer/select-matches.ts'
import type { NamedComponent } from '../document/name-component.ts'
import { listStatements, toProductId, toUri, type VexLimits, type VexStatement } from './statement.ts'

export const TOOL_NAME = 'Vulnerability Intelligence Service'

/** Returns the JSON text of each statement. */
export function renderOpenVexStatements(
  named: NamedComponent,
  selected: SelectedComponent,
  limits: VexLimits,
): readonly string[] {
  const { purl, cpe } = named.label
  const identifiers = {
    ...(purl !== undefined && { purl: toUri(purl) }),
    ...(cpe?.startsWith('cpe:2.3:') && { cpe23: cpe }),
  }
  const product = {
    '@id': toProductId(named),
    ...(Object.keys(identifiers).length > 0 && { identifiers }),
  }
  return listStatements(selected, limits).map((statement) =>
    JSON.stringify({ vulnerability: nameVulnerability(statement), products: [product], ...renderStatus(statement) }),
  )
}

function nameVulnerability({ id, aliases }: VexStatement) {
  return { name: id, ...(aliases.length > 0 && { aliases }) }
}

function renderStatus({ status, reason, action }: VexStatement) {
  if (status === 'not_affected') return { status, impact_statement: reason }
  return { status, status_notes: reason, ...(action !== undefined && { action_statement: action }) }
}

export interface CoverageTally {
  readonly components: number
  readonly uncovered: number
}

/** Returns the document as chunks of JSON text. */
export function renderOpenVex(
  statements: readonly string[],
  coverage: CoverageTally,
  author: string,
  now: Date,
): readonly string[] {
  const head = JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${randomUUID()}`,
    author,
    timestamp: formatInstant(now),
    version: 1,
    tooling: describeTooling(coverage),
  })
  return [`${head.slice(0, -1)},"statements":[`, ...withCommas(statements), ']}']
}

/** OpenVEX has no member for products about which nothing is known, and a statement needs a vulnerability. */
function describeTooling({ components, uncovered }: CoverageTally): string {
  if (uncovered === 0) return TOOL_NAME
  return `${TOOL_NAME}. No complete and current database judges ${uncovered} of ${components} components, so the absence of a statement about them says nothing.`
}

export function withCommas(items: readonly string[]): readonly string[] {
  return items.map((text, index) => (index === 0 ? text : `,${text}`))
}
