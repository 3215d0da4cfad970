// Writes CycloneDX 1.6 with the vulnerabilities and the components that they affect, so it is complete without the
// SBOM. Components that no complete and current database judges are listed too, with the reason in a property.
import { randomUUID } from 'node:crypto'
import { formatInstant } from '../../../domain/instant.ts'
import type { SelectedComponent } from '../../answer/select-matches.ts'
import type { NamedComponent } from '../document/name-component.ts'
import { TOOL_NAME, withCommas } from './openvex.ts'
import { listStatements, toUri, type VexLimits, type VexStatement } from './statement.ts'

const STATES = {
  affected: 'exploitable',
  under_investigation: 'in_triage',
  not_affected: 'not_affected',
  fixed: 'resolved',
} as const satisfies Record<VexStatement['status'], string>

/** The properties have the names and the words of the JSON answer. */
const PROPERTY_PREFIX = 'vis:'

interface VexComponent {
  /** The component as JSON text. */
  readonly component: string
  readonly vulnerabilities: readonly string[]
}

/**
 * Returns undefined for a component without statements that is covered. `usedRefs` holds the refs of earlier components.
 */
export function renderVexComponent(
  named: NamedComponent,
  selected: SelectedComponent,
  limits: VexLimits,
  usedRefs: Set<string>,
): VexComponent | undefined {
  const { verdict, gap } = selected.matched
  const statements = listStatements(selected, limits)
  if (statements.length === 0 && gap === undefined) return undefined
  const { name, version, purl, cpe } = named.label
  const ref = named.ref === undefined || usedRefs.has(named.ref) ? `component-${named.index}` : named.ref
  usedRefs.add(ref)
  const properties = Object.entries({ verdict, coverage_gap: gap }).flatMap(([key, value]) =>
    value === undefined ? [] : [{ name: `${PROPERTY_PREFIX}${key}`, value }],
  )
  const component = { type: 'library', 'bom-ref': ref, name, version, cpe, purl: purl && toUri(purl), properties }
  return {
    component: JSON.stringify(component),
    vulnerabilities: statements.map((statement) => JSON.stringify(renderVulnerability(statement, ref))),
  }
}

function renderVulnerability({ id, score, status, reason, action }: VexStatement, ref: string) {
  return {
    id,
    ...(score !== null && { ratings: [{ score }] }),
    ...(action !== undefined && { recommendation: action }),
    analysis: {
      state: STATES[status],
      ...(action !== undefined && { response: ['update'] }),
      detail: reason,
    },
    affects: [{ ref }],
  }
}

/** Returns the document as chunks of JSON text. */
export function renderCycloneDxVex(components: readonly VexComponent[], author: string, now: Date): readonly string[] {
  const head = JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: formatInstant(now),
      tools: { components: [{ type: 'application', name: TOOL_NAME }] },
      authors: [{ name: author }],
    },
  })
  return [
    `${head.slice(0, -1)},"components":[`,
    ...withCommas(components.map(({ component }) => component)),
    '],"vulnerabilities":[',
    ...withCommas(components.flatMap(({ vulnerabilities }) => vulnerabilities)),
    ']}',
  ]
}
