import { renderToStaticMarkup } from 'react-dom/server'
import type { Priority } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { Reasons } from '../../src/pages/explorer/list/cells.tsx'
import { joinFacts, listDecidingFacts } from '../../src/pages/explorer/reasons.ts'
import type { Row } from '../../src/pages/explorer/row.ts'

type Ssvc = NonNullable<Priority['ssvc']>

const SSVC: Ssvc = {
  decision: 'act',
  tree: 'cisa-coordinator-2.0.3',
  mission: 'medium',
  exploitation: 'active',
  automatable: 'yes',
  technical_impact: 'total',
  value_sources: { exploitation: 'kev', automatable: 'cisa-adp', technical_impact: 'cisa-adp' },
}

const KEV_SENTENCE =
  "This CVE is in CISA's KEV catalog since 2025-01-14 (due date for US federal agencies: 2025-01-21); ransomware campaigns use it."
const EPSS_SENTENCE = 'On 2026-08-15, EPSS estimated a probability of 98.259 % that this CVE would be exploited.'

function row(ssvc: Partial<Ssvc>, more: Partial<Row> = {}): Row {
  const priority = { level: 'P0', policy_version: '2026-11', deadline: null, reasons: [EPSS_SENTENCE] } as const
  return { cve_id: 'CVE-2026-0001', ...more, priority: { ...priority, ...more.priority, ssvc: { ...SSVC, ...ssvc } } }
}

const kev = (knownRansomware: boolean) => ({ dateAdded: '2025-01-14', knownRansomware }) as NonNullable<Row['kev']>
const epss = (score: number) => ({ score, percentile: 0.99, date: '2026-08-15' })

const describeRow = (each: Row) => joinFacts(listDecidingFacts(each))

describe('Facts that decide a priority', () => {
  it('start with ransomware, which decides P0', () => {
    expect(describeRow(row({}, { kev: kev(true), epss: epss(0.98259) }))).toBe(
      'Ransomware known · in KEV · automatable · total control · EPSS 98.3 %',
    )
  })

  it('include the assumed values of an exploited CVE, unless ransomware decides the level', () => {
    const unknown = { automatable: null, technical_impact: null }
    expect(describeRow(row(unknown, { kev: kev(false) }))).toBe(
      'In KEV · automatable and total control assumed · no EPSS score',
    )
    expect(describeRow(row(unknown, { kev: kev(true) }))).toBe('Ransomware known · in KEV · no EPSS score')
  })

  it('include ransomware that only EU KEV reports', () => {
    const reasons = ["This CVE is in ENISA's EU KEV catalog (reported on 2025-01-23); ransomware campaigns use it."]
    const priority = { level: 'P0', policy_version: '2026-11', deadline: null, ssvc: null, reasons } as const
    const value_sources = { ...SSVC.value_sources, exploitation: 'eu-kev' }
    expect(describeRow(row({ value_sources }, { priority }))).toMatch(/^Ransomware known · in EU KEV · /)
  })

  it('are the exploit, EPSS and the score if they decide the level of a CVE not known to be exploited', () => {
    const poc = { exploitation: 'poc', technical_impact: 'partial' } as const
    expect(describeRow(row(poc, { epss: epss(0.2), severity: 9.8 }))).toBe(
      'Automatable · public exploit · EPSS 20.0 % · CVSS 9.8',
    )
  })

  it('are absent for a rejected CVE', () => {
    expect(listDecidingFacts({ cve_id: 'CVE-2026-0001' })).toEqual([])
  })
})

describe('Reasons for a priority', () => {
  it('are shown after the facts, in the order of the API', () => {
    const priority = { level: 'P0', policy_version: '2026-11', deadline: null, ssvc: null } as const
    const reasons = [KEV_SENTENCE, EPSS_SENTENCE]
    const cell = renderToStaticMarkup(<Reasons row={row({}, { priority: { ...priority, reasons } })} />)
    const [facts, sentences] = cell.replaceAll('&#x27;', "'").split('</span> <span')
    expect(facts).toContain('>Ransomware known · ')
    expect(sentences).toContain(`>${KEV_SENTENCE} ${EPSS_SENTENCE}<`)
  })
})
