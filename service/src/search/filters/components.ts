// Filters by a component that the caller runs. The component is assessed as in POST /api/v1/match before the filters
// become SQL (resolve-component.ts); the condition then lists the CVEs that were found.
import { sql } from 'kysely'
import { cpeName, packageUrl } from '../../contract/request/component-types.ts'
import { optional } from '../../contract/request/parameters.ts'
import type { ValueType } from '../../contract/request/value-types.ts'
import { type Component, readComponent, type SentComponent } from '../../domain/component/component.ts'
import { type Condition, defineFilter } from '../filter.ts'

export interface ComponentFilter {
  readonly component: Component
  /** Keys of the CVEs that affect the component; undefined until the component has been assessed. */
  readonly cveKeys?: readonly string[]
}

const MEANING =
  'CVEs that POST /api/v1/match lists for it: verdict affected or possibly_affected, confidence high or medium. Without a version: every CVE that names it. The response has the member component, which says whether the name and the version are known: an empty list alone does not mean that you are not affected.'

/** Up to this number of CVEs, a search collects all hits instead of estimating their number. */
const MAX_FEW = 5000

/**
 * What both filters have in common. Only the component decides what the filter finds, so it is normalised instead of
 * the text.
 */
const COMMON = {
  lists: ['search', 'recent'],
  condition: isAmong,
  test: undefined,
  findsFew: ({ cveKeys = [] }: ComponentFilter) => cveKeys.length <= MAX_FEW,
  normalise: ({ component }: ComponentFilter) => component,
} as const

export const cpe = defineFilter({
  label: 'affects',
  ...COMMON,
  parameter: optional(
    componentType(cpeName(), (sent) => ({ cpe: sent })),
    `CPE name of a product that you run. ${MEANING} Not together with purl.`,
  ),
  excludes: 'purl',
})

export const purl = defineFilter({
  label: 'affects',
  ...COMMON,
  parameter: optional(
    componentType(packageUrl(), (sent) => ({ purl: sent })),
    `Package URL of a package that you run. ${MEANING} Not together with cpe.`,
  ),
})

function componentType<T>(
  type: Omit<ValueType<T>, 'parseJson'>,
  name: (sent: T) => SentComponent,
): ValueType<ComponentFilter> {
  return {
    ...type,
    parse: (text) => {
      const sent = type.parse(text)
      return sent === undefined ? undefined : { component: readComponent(name(sent)) }
    },
  }
}

function isAmong({ cveKeys }: ComponentFilter): Condition {
  if (cveKeys === undefined)
    throw new Error('A component must be judged (resolveComponent) before it becomes a filter.')
  return sql`cve.cve_key = any(${cveKeys}::bigint[])`
}
