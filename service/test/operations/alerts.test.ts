import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { anchorsIn } from '../../../tools/markdown.ts'
import { inRepository, readRepository, strangersIn } from './metrics-page.ts'
import { promtool, whyNoPromtool } from './promtool.ts'

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
const TESTS = ['alerts.test.yml', 'alerts-of-days.test.yml']

const { groups }: { groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  readRepository(`${FOLDER}/alerts.yml`),
)
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const expectations = TESTS.flatMap((file) => {
  const { tests }: TestFile = parse(readRepository(`${FOLDER}/${file}`))
  return tests.flatMap(({ alert_rule_test }) => alert_rule_test)
})

describe('The alerts', () => {
  it('ask for metrics that exist', () => {
    expect(rules.flatMap(({ expr }) => strangersIn(expr))).toEqual([])
  })

  it('are those of docs/metrics.md, as urgent as it says', () => {
    const rows = readRepository('docs/metrics.md').matchAll(/^\| `(Vis\w+)` \| (page|ticket) \|/gm)
    const documented = Array.from(rows, ([, alert, severity]) => [alert, severity])
    expect(documented).toEqual(alerts.map(({ alert, labels }) => [alert, labels?.severity]))
  })

  it('lead to a heading of the runbook that exists', () => {
    const anchors = anchorsIn(readRepository('docs/operations.md'))
    const lost = alerts.filter(({ annotations }) => {
      const [document, anchor = ''] = annotations?.runbook?.split('#') ?? []
      return document !== 'docs/operations.md' || !anchors.has(anchor)
    })
    expect(lost.map(({ alert, annotations }) => `${alert}: ${annotations?.runbook}`)).toEqual([])
  })

  it('are each seen to be raised and to be quiet', () => {
    const of = (isRaised: boolean) =>
      new Set(expectations.filter((each) => each.exp_alerts.length > 0 === isRaised).map(({ alertname }) => alertname))
    const names = alerts.map(({ alert = '' }) => alert)
    expect(names.filter((name) => !of(true).has(name))).toEqual([])
    // A feed that rejects little is in the same test as one that rejects much.
    expect(names.filter((name) => !of(false).has(name))).toEqual(['VisNodeDown', 'VisFeedRejects'])
  })

  // Loud: a machine without promtool has not judged the rules.
  it.skipIf(whyNoPromtool !== undefined)(
    `are raised and quiet as their tests say${whyNoPromtool ? ` (skipped: ${whyNoPromtool})` : ''}`,
    () => {
      expect(promtool('check', 'config', inRepository(`${FOLDER}/prometheus.yml`))).toBeUndefined()
      expect(promtool('test', 'rules', ...TESTS.map((file) => inRepository(`${FOLDER}/${file}`)))).toBeUndefined()
    },
    120_000,
  )
})
