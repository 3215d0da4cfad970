// Assesses the component by which a list of CVEs is filtered.
import { renderName } from '../domain/component/component.ts'
import { renderCoverage } from '../matching/answer/render-coverage.ts'
import type { ComponentFilter } from '../search/filters/components.ts'
import { suggestForProduct } from '../search/names/suggest-products.ts'
import type { Services } from './services.ts'

/** At most one of these is given. */
interface ComponentQuery {
  readonly cpe?: ComponentFilter | undefined
  readonly purl?: ComponentFilter | undefined
}

interface ResolvedQuery<Query> {
  /** The query with the keys of the CVEs that affect the component. */
  readonly query: Query
  /** The member `component` of the response. */
  readonly component: Readonly<Record<string, unknown>> | undefined
}

/** Each page assesses the component again, so it shows what the catalog says now (ADR 0018). */
export async function resolveComponent<Query extends ComponentQuery>(
  { db, now, findCves, signal }: Pick<Services, 'db' | 'now' | 'findCves' | 'signal'>,
  query: Query,
): Promise<ResolvedQuery<Query>> {
  const name = query.cpe === undefined ? 'purl' : 'cpe'
  const component = query[name]?.component
  if (component === undefined) return { query, component }
  const found = await findCves({ component, parameter: name, now }, signal)
  const suggested = found.gap === 'unknown_product' ? await suggestForProduct(db, component) : []
  return {
    query: { ...query, [name]: { component, cveKeys: found.cveKeys } },
    component: {
      interpreted_as: renderName(component),
      verdict: found.verdict,
      cves_total: found.cveKeys.length,
      advisories_total: found.advisoryCount,
      weaker_total: found.weakerCount,
      unordered_total: found.unorderedCount,
      ...renderCoverage(found),
      ...(suggested.length > 0 && { similar_products: suggested }),
    },
  }
}
