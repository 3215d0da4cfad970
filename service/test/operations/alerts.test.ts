import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { anchorsIn } from '../../../tools/docs/markdown.ts'
import { findUnknownMetrics, inRepository, readRepository } from './metrics-page.ts'
import { runPromtool, whyNoPromtool } from './promtool.ts'

interface Rule {
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook?: string }
}

interface TestFile {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
  }[]
}

const FOLDER = 'deploy/prometheus'
const TESTS = ['alerts.test.yml', 'alerts-long-term.test.yml']

const { groups }: { groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  readRepository(`${FOLDER}/alerts.yml`),
)
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const expectations = TESTS.flatMap((file) => {
  const { tests }: TestFile = parse(readRepository(`${FOLDER}/${file}`))
  return tests.flatMap(({ alert_rule_test }) => alert_rule_test)
})

describe('Prometheus alerts', () => {
  it('use only documented metrics', () => {
    expect(rules.flatMap(({ expr }) => findUnknownMetrics(expr))).toEqual([])
  })

  it('match the alert table in docs/metrics.md in name, severity and order', () => {
    const rows = readRepository('docs/metrics.md').matchAll(/^\| `(Vis\w+)` \| (page|ticket) \|/gm)
    const documented = Array.from(rows, ([, alert, severity]) => [alert, severity])
    expect(documented).toEqual(alerts.map(({ alert, labels }) => [alert, labels?.severity]))
  })

  it('link to existing headings in docs/operations.md', () => {
    const anchors = anchorsIn(readRepository('docs/operations.md'))
    const broken = alerts.filter(({ annotations }) => {
      const [document, anchor = ''] = annotations?.runbook?.split('#') ?? []
      return document !== 'docs/operations.md' || !anchors.has(anchor)
    })
    expect(broken.map(({ alert, annotations }) => `${alert}: ${annotations?.runbook}`)).toEqual([])
  })

  it('each have a promtool test in which they fire and one in which they do not', () => {
    const namesWith = (isRaised: boolean) =>
      new Set(expectations.filter((each) => each.exp_alerts.length > 0 === isRaised).map(({ alertname }) => alertname))
    const names = alerts.map(({ alert = '' }) => alert)
    expect(names.filter((name) => !namesWith(true).has(name))).toEqual([])
    // The promtool tests of VisApiNodeDown and VisFeedRejections have no expectation without an alert. Instead, the
    // test in which they fire contains a second series for which they do not fire.
    expect(names.filter((name) => !namesWith(false).has(name))).toEqual(['VisApiNodeDown', 'VisFeedRejections'])
  })

  // If promtool is missing, the test is skipped, and its title states the reason, so that the omission is noticed.
  it.skipIf(whyNoPromtool !== undefined)(
    `pass the promtool tests for their rules${whyNoPromtool ? ` (skipped: ${whyNoPromtool})` : ''}`,
    () => {
      expect(runPromtool('check', 'config', inRepository(`${FOLDER}/prometheus.yml`))).toBeUndefined()
      expect(runPromtool('test', 'rules', ...TESTS.map((file) => inRepository(`${FOLDER}/${file}`)))).toBeUndefined()
    },
    120_000,
  )
})
