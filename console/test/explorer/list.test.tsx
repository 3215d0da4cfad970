import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { COLUMNS, DEFAULT_COLUMNS } from '../../src/pages/explorer/columns.ts'
import { listExploitation } from '../../src/pages/explorer/exploitation.ts'
import { CELLS } from '../../src/pages/explorer/list/cells.tsx'
import { buildSparkPath, describeEpssTrend } from '../../src/pages/explorer/list/epss-spark.ts'
import { chooseLayout } from '../../src/pages/explorer/list/layout.ts'
import { describeCve } from '../../src/pages/explorer/list/name.ts'
import { listBetween, toggleId } from '../../src/pages/explorer/list/use-selection.ts'
import type { Row } from '../../src/pages/explorer/row.ts'
import { toDisplayName } from '../../src/text/display-name.ts'
import { formatShortAge } from '../../src/text/short-age.ts'

const row = (values: Partial<Row> = {}): Row => ({ cve_id: 'CVE-2026-0001', ...values })
const epss = (score: number) => ({ score, percentile: 0.99, date: '2026-08-15' })
const kev = (more: object) => ({ dateAdded: '2026-08-20', knownRansomware: false, ...more }) as NonNullable<Row['kev']>

const FULL = row({
  priority: { level: 'P0', policy_version: '2026-11', ssvc: null, deadline: null, reasons: ['A reason.'] },
  kev: kev({ vendorProject: 'Acme', product: 'Gateway' }),
  epss: epss(0.5),
  published: '2026-08-01T00:00:00Z',
  fixes: [{ product: 'Gateway', version: '2.0' }] as unknown as NonNullable<Row['fixes']>,
})

const layout = (width: number, more: Partial<Parameters<typeof chooseLayout>[0]> = {}) =>
  chooseLayout({ width, chosen: DEFAULT_COLUMNS, rows: [FULL], sort: 'priority_desc', ...more })

/** Width that the columns leave for the name. */
function measureName(width: number): number {
  const chosen = layout(width)
  if (chosen.kind === 'cards') return width
  return chosen.columns.reduce((left, column) => left - (column.width ?? 0), width - 40)
}

describe('The layout of the list', () => {
  it.each([1168, 980, 744, 700])('leaves at least 230 px for name and summary in a list of %d px', (width) => {
    expect(measureName(width)).toBeGreaterThanOrEqual(230)
  })

  it('moves the product into the line below the name if there is little space, and becomes cards on a phone', () => {
    expect(layout(1168)).toMatchObject({ kind: 'table', hasProductInName: false, minWidth: undefined })
    expect(layout(744)).toMatchObject({ kind: 'table', hasProductInName: true, minWidth: undefined })
    expect(layout(360)).toEqual({ kind: 'cards' })
  })

  it('hides the columns without a value, but never the one by which the list is sorted', () => {
    const columns = (more: Parameters<typeof layout>[1]) => {
      const chosen = layout(1168, more)
      return chosen.kind === 'table' ? chosen.columns.map(({ id }) => id) : []
    }
    expect(columns({})).toEqual(['priority', 'products', 'exploitation', 'epss', 'fix', 'published'])
    expect(columns({ rows: [row()] })).toEqual(['priority'])
    expect(columns({ rows: [row()], sort: 'epss_desc' })).toEqual(['epss'])
    expect(columns({ sort: 'severity_asc' })).toContain('severity')
  })

  it('scrolls sideways rather than hide a column that the user chose', () => {
    const chosen = [...DEFAULT_COLUMNS, 'severity', 'vector', 'status'] as const
    const rows = [{ ...FULL, severity: 9.8, status: 'Analyzed' }]

    expect(layout(744, { chosen, rows })).toMatchObject({ minWidth: expect.any(Number) })
  })
})

describe('A cell of the list', () => {
  it.each(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])('shows a dash if there is no value: %s', (id) => {
    if (id === 'reasons') return
    const html = renderToStaticMarkup(CELLS[id](row(), false))
    expect(html).toContain('–')
    expect(html).not.toMatch(/no value/)
  })

  it('does not tell EPSS scores above 99 % apart', () => {
    expect(renderToStaticMarkup(CELLS.epss(row({ epss: epss(0.99962) }), false))).toContain('&gt; 99 %')
    expect(renderToStaticMarkup(CELLS.epss(row({ epss: epss(0.985) }), false))).toContain('98.5 %')
  })
})

const EMPTY = Array.from({ length: 13 }, () => null)

const trend = (scores: readonly (number | null)[], lowest: number | null, highest: number | null) => ({
  from: '2026-05-23',
  to: '2026-08-21',
  lowest,
  highest,
  model_changes: [],
  scores: [...EMPTY, ...scores].slice(-13),
})

describe('The EPSS scores of the last weeks', () => {
  it('share one scale from 0 to 100 %, whatever the other scores of the row are', () => {
    const [low, high] = [buildSparkPath([0, 0.01]), buildSparkPath([0, 1])]
    expect(low).toBe('M1 15L39 14.9')
    expect(high).toBe('M1 15L39 1')
  })

  it('leave a gap for weeks without a score, and show a score between two gaps as a dot', () => {
    expect(buildSparkPath([0.5, 0.5, null, 0.5, null, 0.5, 0.5])).toBe('M1 8L7.3 8M20 8h0M32.7 8L39 8')
  })

  it('have no line if fewer than two scores are known, but the score', () => {
    const values = row({ epss: epss(0.12), epss_trend: trend([0.12], 0.12, 0.12) })
    const html = renderToStaticMarkup(CELLS.epss(values, false))
    expect(html).not.toContain('<svg')
    expect(html).toContain('12.0 %')
    expect(renderToStaticMarkup(CELLS.epss(row({ epss: epss(0.12) }), false))).not.toContain('<svg')
  })

  it('are hidden from screen readers, and in the title as a range of all days', () => {
    const values = row({
      epss: epss(0.12),
      epss_trend: trend(
        EMPTY.map(() => 0.1),
        0.03,
        0.2,
      ),
    })
    const html = renderToStaticMarkup(CELLS.epss(values, true))
    expect(html).toContain('<svg aria-hidden="true"')
    expect(html).toContain('title="EPSS 12.0 %, between 3.0 % and 20.0 % in 90 days"')
  })

  it('say for how many weeks scores are known, if not for all', () => {
    expect(describeEpssTrend(0.12, trend([0.1, 0.12], 0.1, 0.12))).toBe(
      'EPSS 12.0 %, between 10.0 % and 12.0 % in 90 days (scores of 2 of 13 weeks)',
    )
    expect(describeEpssTrend(0.12, trend([0.12], 0.12, 0.12))).toBe('EPSS 12.0 %; scores are known of one week')
    expect(describeEpssTrend(0.12, undefined)).toBe('EPSS 12.0 %')
  })

  it('say when scores became those of another model', () => {
    const all = trend(
      EMPTY.map(() => 0.1),
      0.03,
      0.12,
    )
    const changes = [{ date: '2026-06-15', model: 'v5', previous: 'v4' }]
    expect(describeEpssTrend(0.12, { ...all, model_changes: changes })).toBe(
      'EPSS 12.0 %, between 3.0 % and 12.0 % in 90 days; new EPSS model on 15 Jun 2026',
    )
  })
})

describe('The name of a CVE', () => {
  it("is CISA's name without the word vulnerability, with the description as summary", () => {
    const named = row({
      kev: kev({ vulnerabilityName: 'Acme Gateway Path Traversal Vulnerability' }),
      description: 'A flaw.',
    })

    expect(describeCve(named)).toEqual({ title: 'Acme Gateway Path Traversal', summary: 'A flaw.' })
    expect(describeCve(row({ description: 'A flaw.' }))).toEqual({ title: 'A flaw.', summary: '' })
  })
})

describe('The exploitation of a CVE', () => {
  const facts = (more: Partial<Row>) =>
    listExploitation({ ...FULL, kev: undefined, ...more } as Row).map(({ id }) => id)

  it('names each catalog, ransomware and a public exploit', () => {
    const reasons = ["This CVE is in ENISA's EU KEV catalog (reported on 2026-08-20); ransomware campaigns use it."]
    expect(facts({ kev: kev({}) })).toEqual(['kev'])
    expect(facts({ priority: { ...FULL.priority, reasons } as NonNullable<Row['priority']> })).toEqual([
      'eu-kev',
      'ransomware',
    ])
    expect(facts({ enrichment: { exploit_flag: true } as NonNullable<Row['enrichment']> })).toEqual(['exploit'])
    expect(facts({})).toEqual([])
  })
})

describe('Choosing rows', () => {
  it('adds and removes one, and extends the choice in both directions', () => {
    expect([...toggleId(new Set(['a']), 'b')]).toEqual(['a', 'b'])
    expect([...toggleId(new Set(['a', 'b']), 'a')]).toEqual(['b'])
    expect(listBetween(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(listBetween(['a', 'b', 'c', 'd'], 'c', 'a')).toEqual(['a', 'b', 'c'])
    expect(listBetween(['a', 'b'], undefined, 'b')).toEqual(['b'])
  })
})

describe('A display name', () => {
  it.each([
    ['http_server', 'HTTP Server'],
    ['paloaltonetworks', 'Palo Alto Networks'],
    ['linux_kernel', 'Linux kernel'],
    ['apache', 'Apache'],
    ['Already Fine', 'Already Fine'],
    ['constructor', 'Constructor'],
  ])('of %s is %s', (name, expected) => {
    expect(toDisplayName(name)).toBe(expected)
  })
})

describe('A short age', () => {
  it.each([
    ['2026-08-21T17:30:00Z', 'new'],
    ['2026-08-21T13:00:00Z', '5 h'],
    ['2026-08-03T00:00:00Z', '18 d'],
    ['2026-07-01T00:00:00Z', '51 d'],
    ['2026-01-01T00:00:00Z', '7 mo'],
    ['2021-12-10T00:00:00Z', '4 y'],
  ])('of %s is %s', (time, expected) => {
    expect(formatShortAge(time, new Date('2026-08-21T18:00:00Z'))).toBe(expected)
  })
})
