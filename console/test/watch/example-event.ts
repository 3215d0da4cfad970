// An event of the inbox for tests.
import type { WatchEvent } from 'vis-sdk'

const RECORD: NonNullable<WatchEvent['record_after']> = {
  severity: 9.8,
  epss_score: 0.42,
  in_kev: true,
  in_eu_kev: false,
  ransomware: false,
  priority_level: 'P0',
  exploit_maturity: 'active',
  has_fix: true,
  status: 'Analyzed',
  products: [{ vendor: 'fortinet', product: 'fortios' }],
  product_count: 1,
}

export function event(nr: number, more: Partial<WatchEvent> = {}): WatchEvent {
  return {
    id: `00000000-0000-5000-8000-${String(nr).padStart(12, '0')}`,
    nr,
    type: 'matched',
    at: '2026-08-21',
    recorded_at: '2026-08-21T20:00:03Z',
    watch: { id: '7', name: 'Edge devices', team: 'network' },
    cve_id: 'CVE-2026-1111',
    on: ['entered'],
    entered_by: [],
    types: [],
    diff: {},
    record_after: RECORD,
    summary: '',
    muted: false,
    ...more,
  }
}

export const withRecord = (more: Partial<typeof RECORD>) => ({ ...RECORD, ...more })
