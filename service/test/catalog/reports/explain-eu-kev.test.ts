import { expect, it } from 'vitest'
import { explainEuKev } from '../../../src/catalog/reports/explain-eu-kev.ts'
import { euKevEntry } from '../records.ts'

it('explain shows who reported the exploitation to EU KEV, and when', () => {
  expect(explainEuKev(euKevEntry({ exploitation: ['APT', 'ransomware'] }))).toEqual({
    name: 'eu kev',
    value: 'reported 2026-08-18, APT, ransomware, reported by CERT-XX',
    by: 'enisa',
    time: '2026-08-18',
    runnersUp: [],
  })
})

it('explain shows when EU KEV removed an entry, without control characters from the catalog', () => {
  const entry = euKevEntry({ origin: 'CERT\u001b[2J', removedAt: new Date('2026-08-20T06:00:00Z') })
  expect(explainEuKev(entry).value).toBe(
    'reported 2026-08-18, removed 2026-08-20T06:00:00Z, unknown, reported by CERT [2J',
  )
  expect(explainEuKev(euKevEntry({ dateReported: '2026-08-01' })).value).toMatch(/^listed 2026-08-18,/)
})

it('explain shows a dash for a CVE that EU KEV does not list', () => {
  expect(explainEuKev(null)).toEqual({ name: 'eu kev', value: '–', by: '', time: '', runnersUp: [] })
})
