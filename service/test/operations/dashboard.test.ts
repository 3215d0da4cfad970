import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { findUnknownMetrics, readRepository } from './metrics-page.ts'
import { runPromtool, whyNoPromtool } from './promtool.ts'

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[]
}

interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
  readonly panels: readonly Panel[]
}

const dashboard: Dashboard = JSON.parse(readRepository('deploy/grafana/dashboard.json'))
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const queries = panels.flatMap(({ targets = [] }) => targets)

describe('Grafana dashboard', () => {
  it('uses only documented metrics', () => {
    expect(queries.length).toBeGreaterThan(20)
    expect(queries.flatMap(({ expr }) => findUnknownMetrics(expr))).toEqual([])
  })

  it('has the format that Grafana imports: a datasource variable, and queries in every panel', () => {
    expect(dashboard).toMatchObject({ uid: 'vis-overview', title: 'Vulnerability Intelligence Service' })
    expect(dashboard.schemaVersion).toBeGreaterThan(36)
    // A dashboard file with an id would overwrite another dashboard with the same id when it is imported.
    expect(dashboard).not.toHaveProperty('id')
    expect(dashboard.templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }])
    for (const { title, datasource, targets = [] } of panels) {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's syntax of a variable.
      expect({ title, datasource }).toEqual({ title, datasource: { type: 'prometheus', uid: '${datasource}' } })
      expect(targets.length, title).toBeGreaterThan(0)
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
  })

  it('has no overlapping panels and none outside the grid', () => {
    const fields = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    )
    expect(new Set(fields).size).toBe(fields.length)
    expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  })

  it.skipIf(whyNoPromtool !== undefined)(
    `has only queries that promtool accepts${whyNoPromtool ? ` (skipped: ${whyNoPromtool})` : ''}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'vis-dashboard-'))
      const file = join(folder, 'rules.yml')
      const rules = queries.map(({ expr }, index) => ({
        record: `dashboard:query:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }))
      writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }))
      try {
        expect(runPromtool('check', 'rules', file)).toBeUndefined()
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})
