// NVD's record of a CVE, as far as NVD's change history tells how it changed.
import { type CvssVector, parseCvssVector } from '../cvss/cvss-vector.ts'
import type { Configuration, CpeNode } from './configuration-text.ts'

export const NVD = 'nvd@nist.gov'

/** `source`: NVD's identifier of the organisation that states the value. */
export interface Rating {
  readonly source: string
  readonly vector: CvssVector
}

interface Weakness {
  readonly source: string
  readonly id: string
}

export interface NvdState {
  readonly status: string
  /** In English; null if NVD has none. */
  readonly description: string | null
  readonly ratings: readonly Rating[]
  readonly weaknesses: readonly Weakness[]
  readonly references: readonly { readonly url: string; readonly source: string }[]
  readonly configurations: readonly Configuration[]
}

/** The members of NVD's record that this reads; the feed `nvd` has checked them. */
export interface RawNvdRecord {
  readonly lastModified: string
  readonly vulnStatus?: string
  readonly descriptions: readonly { readonly lang: string; readonly value: string }[]
  readonly metrics?: Readonly<
    Record<string, readonly { readonly source: string; readonly cvssData: { readonly vectorString: string } }[]>
  >
  readonly weaknesses?: readonly {
    readonly source: string
    readonly description: readonly { readonly value: string }[]
  }[]
  readonly configurations?: readonly (Partial<Omit<Configuration, 'nodes'>> & {
    readonly nodes: readonly (Partial<CpeNode> & Pick<CpeNode, 'cpeMatch'>)[]
  })[]
  readonly references: readonly { readonly url: string; readonly source?: string }[]
}

const METRICS = ['cvssMetricV40', 'cvssMetricV31', 'cvssMetricV30', 'cvssMetricV2']

export function readState(record: RawNvdRecord): NvdState {
  const { metrics = {}, weaknesses = [], configurations = [], references } = record
  return {
    status: record.vulnStatus ?? '',
    description: record.descriptions.find(({ lang }) => lang === 'en')?.value ?? null,
    ratings: METRICS.flatMap((name) => metrics[name] ?? []).flatMap(({ source, cvssData }) => {
      const vector = parseCvssVector(cvssData.vectorString)
      return vector ? [{ source, vector }] : []
    }),
    weaknesses: weaknesses.flatMap(({ source, description }) =>
      description.map(({ value }) => ({ source, id: value })),
    ),
    references: references.map(({ url, source = '' }) => ({ url, source })),
    configurations: configurations.map(({ operator = 'OR', negate = false, nodes }) => ({
      operator,
      negate,
      nodes: nodes.map((node) => ({
        operator: node.operator ?? 'OR',
        negate: node.negate ?? false,
        cpeMatch: node.cpeMatch,
      })),
    })),
  }
}
