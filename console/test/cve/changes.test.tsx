import { renderToStaticMarkup } from 'react-dom/server'
import type { Change, Cve } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { comparePast, summarizePast } from '../../src/pages/cve/model/past-values.ts'
import { ChangeList } from '../../src/pages/cve/panels/change-list.tsx'
import { listOtherMembers, listTitles, listValueChanges } from '../../src/text/changes.ts'
import { EMPTY_CVE } from './empty-cve.ts'

const CHANGE: Change = {
  seq: 7,
  at: '2026-08-20',
  recorded_at: '2026-08-20T20:01:21Z',
  cve_id: 'CVE-2026-12345',
  types: ['kev_added', 'priority_raised', 'score_changed', 'severity_band_changed'],
  cause: 'data',
  fields: ['severity', 'cvss', 'description', 'kev', 'priority', 'sources'],
  diff: {
    severity: { old: 7.5, new: 9.8 },
    'priority.level': { old: 'P3', new: 'P0' },
    'kev.dateAdded': { old: null, new: '2026-08-20' },
    'kev.knownRansomware': { old: null, new: false },
  },
}

describe('CVE page: changes in words', () => {
  it('names the types of change, most important first, and omits a type that another type implies', () => {
    expect(listTitles(CHANGE).map(({ words }) => words)).toEqual([
      'Added to KEV',
      'Priority raised',
      'Severity changed',
    ])
    expect(listTitles({ types: ['rejected', 'status_changed'] }).map(({ words }) => words)).toEqual(['Rejected'])
  })

  it('describes old and new values in the same words as the page', () => {
    const lines = listValueChanges({
      types: [],
      diff: {
        ...CHANGE.diff,
        'epss.score': { old: 0.012, new: 0.97 },
        'exploits.maturity': { old: 'poc', new: 'weaponized' },
        'enrichment.cwe_list': { old: [], new: ['CWE-79', 'CWE-89'] },
        'enrichment.patch_available': { old: false, new: true },
        status: { old: 'Received', new: 'Analyzed' },
      },
    }).map(({ label, old, new: current }) => `${label}: ${old} > ${current}`)
    expect(lines).toEqual([
      'Base score: 7.5 high > 9.8 critical',
      "NVD's status: Received > Analyzed",
      'Priority: P3 next cycle > P0 act now',
      'Exploit maturity: proof of concept > weaponized',
      'Fix named: no > yes',
      'Weaknesses: none > CWE-79, CWE-89',
      'In KEV since: not listed > 2026-08-20',
      'EPSS: 1.2 % > 97.0 %',
    ])
  })

  it('shows only the new values of a CVE that is new in the catalog', () => {
    const diff = { 'kev.dateAdded': { old: null, new: '2026-08-20' }, 'kev.dueDate': { old: null, new: null } }
    expect(listValueChanges({ types: ['kev_added', 'published'], diff })).toEqual([
      { label: 'In KEV since', old: undefined, new: '2026-08-20' },
    ])
  })

  it('names changed members whose values are not kept, and the sources only if nothing else changed', () => {
    expect(listOtherMembers(CHANGE)).toEqual(['description', 'CVSS vectors'])
    expect(listOtherMembers({ fields: ['sources'], diff: {} })).toEqual(['statements of sources'])
    expect(listOtherMembers({ fields: ['kev', 'sources'], diff: {} })).toEqual(['KEV entry'])
    expect(listOtherMembers({ fields: ['priority'], diff: {} })).toEqual(['facts of the priority'])
  })

  it('lists changes with their date and cause, says how far back the history is complete, and says if there are none', () => {
    const since = '2026-08-01T00:00:00Z'
    const html = renderToStaticMarkup(<ChangeList changes={[{ ...CHANGE, cause: 'rules' }]} since={since} />)
    expect(html).toContain('<time dateTime="2026-08-20T20:01:21Z" title="Published here on 2026-08-20 20:01 UTC"')
    expect(html).not.toContain('happened on')
    const late = renderToStaticMarkup(<ChangeList changes={[{ ...CHANGE, at: '2021-12-10' }]} since={since} />)
    expect(late).toContain('happened on <time dateTime="2021-12-10">2021-12-10</time>')
    expect(html).toContain('by new rules of the service; no source changed')
    expect(html).toContain('aria-label="changed to"')
    expect(html).toContain('All changes since 2026-08-01 00:00 UTC are kept.')
    expect(renderToStaticMarkup(<ChangeList changes={[]} since={undefined} />)).toContain(
      'No change of this CVE is kept.',
    )
  })
})

describe('CVE page: as known on a day', () => {
  const past: Cve = { ...EMPTY_CVE, description: 'First text.', severity: 7.5 }
  const current: Cve = { ...past, description: 'Second text.', severity: 9.8, status: 'Analyzed', references: [] }

  it('compares the main values of a day with those of today', () => {
    const values = comparePast({ record: past, unknown: [] }, current)
    expect(values.filter(({ isDifferent }) => isDifferent)).toEqual([
      { label: 'Base score', past: '7.5 high', current: '9.8 critical', isDifferent: true },
      { label: "NVD's status", past: 'Received', current: 'Analyzed', isDifferent: true },
      { label: 'Description', past: 'another text', current: 'as today', isDifferent: true },
    ])
    expect(summarizePast(values)).toBe(`3 of ${values.length} values were different from today.`)
    expect(summarizePast(comparePast({ record: past, unknown: [] }, past))).toBe(
      'All values below are the same as today.',
    )
  })

  it('says which values are not known for the day instead of showing that there were none', () => {
    const record = { cve_id: past.cve_id, kev: { dateAdded: '2024-04-12' }, enrichment: { kev_flag: true } }
    const unknown = ['severity', 'kev.dueDate', 'epss', 'references', 'enrichment.cwe_list']
    const values = comparePast({ record, unknown }, current)
    const isUnknown = values.filter((value) => value.past === 'not known for that day').map(({ label }) => label)
    expect(isUnknown).toEqual(['Base score', 'KEV due date', 'EPSS', 'Weaknesses', 'References'])
    expect(values.find(({ label }) => label === 'KEV')?.past).toBe('since 2024-04-12')
    expect(summarizePast(values)).toMatch(/different from today\. 5 are not known for that day\.$/)
  })
})
