// The `vendor` parameter of endpoints in which it names a data source, and the plan that each data source requires
// (decision A12).
import { type ValueType, word } from '../../../contract/request/value-types.ts'
import type { Plan } from '../../../domain/account/plan.ts'
import { CSAF_SOURCES, type CsafSourceId, mapCsafSources } from '../../../domain/source/csaf-sources.ts'
import { isVendorSource, SOURCES, type Source, VENDOR_SOURCES } from '../../../domain/source/source.ts'

/** A sentence in the description of the `vendor` parameter, such as "ghsa and msrc require an enterprise plan." */
export const PLAN_NOTE = `${VENDOR_SOURCES.slice(0, -1).join(', ')} and ${VENDOR_SOURCES.at(-1)} require an enterprise plan.`

const LABELS: Readonly<Record<Exclude<Source, CsafSourceId>, string>> = {
  nvd: 'NVD',
  cve: 'CVE List',
  ghsa: 'GitHub advisories',
  redhat: 'Red Hat',
  msrc: 'Microsoft',
}

export function sourceType(): ValueType<Source> {
  return {
    ...word(SOURCES, { anyCase: true, labels: { ...LABELS, ...mapCsafSources((id) => CSAF_SOURCES[id].title) } }),
    expects: `the data source, one of ${SOURCES.join(', ')}; for a product's vendor use product_vendor= of /api/v1/cves`,
  }
}

/** Returns the plan that a data source requires, or undefined if every plan may use it. */
export function findRequiredPlan(source: Source | undefined): Plan | undefined {
  return isVendorSource(source) ? 'enterprise' : undefined
}
