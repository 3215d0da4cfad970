// What the metrics of /stats/series and /stats/top count. search/series/metrics.ts has the SQL of each.

/** By which values a bucket is divided. */
export const SPLITS = ['severity', 'priority', 'catalog', 'ransomware'] as const

export type SplitName = (typeof SPLITS)[number]

interface MetricDescription {
  readonly meaning: string
  /** Whose day decides: that of the source of the data, or the day on which this service recorded the change. */
  readonly datedBy: 'source' | 'service'
  readonly by: readonly SplitName[]
}

export const METRICS = {
  published: {
    meaning: 'CVEs by the day of their publication, including those that were rejected later.',
    datedBy: 'source',
    by: ['severity', 'priority'],
  },
  kev_added: {
    meaning:
      "CVEs in CISA's KEV catalog by the day on which CISA added them. An entry that CISA removed later does not count, so that the numbers are those of CISA's file; GET /kev/history lists it.",
    datedBy: 'source',
    by: ['severity', 'priority', 'catalog', 'ransomware'],
  },
} as const satisfies Readonly<Record<string, MetricDescription>>

export type MetricName = keyof typeof METRICS

// The cast is safe: Object.keys returns the keys of METRICS.
export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[]

export const describeMetric = (name: MetricName): MetricDescription => METRICS[name]
