import { type ApiKey, VisError } from 'vis-sdk'
import { describe, expect, it } from 'vitest'
import { listGrantableRoles, mayManageMember } from '../../src/data/role.ts'
import { describeChangeError } from '../../src/kit/controls/form-error.tsx'
import { describeAction, describeActor } from '../../src/pages/audit/describe-entry.ts'
import { describeKeyState, nameKey, splitAddresses } from '../../src/pages/keys/key-texts.ts'
import { describeProblem } from '../../src/pages/sign-in/describe-sign-in-error.ts'

const NOW = new Date('2026-08-22T12:00:00Z')

const KEY: ApiKey = {
  id: '12',
  name: 'build pipeline',
  prefix: 'vis_live_7Qd',
  last_four: 'k3Fa',
  scopes: ['read'],
  allowed_ips: [],
  created_at: '2026-03-02T00:00:00Z',
  last_used_day: '2026-08-22',
  expires_at: null,
  state: 'active',
  replaced_by: null,
}

describe('Key texts', () => {
  it.each([
    [{}, undefined],
    [{ expires_at: '2027-08-22T12:00:00Z' }, undefined],
    [{ expires_at: '2026-08-24T11:00:00Z' }, 'expires in 2 days'],
    [{ expires_at: '2026-08-22T13:00:00Z' }, 'expires within a day'],
    [{ expires_at: '2026-08-23T12:30:00Z', replaced_by: '13' }, 'replaced'],
    [{ state: 'revoked' as const }, 'revoked'],
    [{ state: 'expired' as const, expires_at: '2026-08-01T00:00:00Z' }, 'expired'],
  ])('marks a key that deserves attention: %o', (change, text) => {
    expect(describeKeyState({ ...KEY, ...change }, NOW)?.text).toBe(text)
  })

  it('shows the visible part of a key that has no name', () => {
    expect(nameKey({ ...KEY, name: null })).toBe('vis_live_7Qd…k3Fa')
  })

  it('reads addresses separated by commas, spaces or line breaks, each once', () => {
    expect(splitAddresses(' 203.0.113.7, 2001:db8::/32\n203.0.113.7;10.0.0.0/8 ')).toEqual([
      '203.0.113.7',
      '2001:db8::/32',
      '10.0.0.0/8',
    ])
    expect(splitAddresses(' \n')).toEqual([])
  })
})

const NAMES = {
  keys: new Map([['12', 'build pipeline']]),
  members: new Map([['3', 'ann@example.org']]),
  views: new Map([['1', 'Firewalls']]),
}
const entry = (action: string, details: Record<string, unknown> = {}, more = {}) => ({
  id: '1',
  time: '2026-08-22T12:00:00Z',
  actor: 'member:3',
  action,
  details,
  ...more,
})

describe('Audit log entries', () => {
  it.each([
    ['member:3', 'ann@example.org'],
    ['member:4', 'member 4'],
    ['key:12', 'key “build pipeline”'],
    ['key:99', 'key 99'],
    ['operator', 'the operator'],
  ])('name the actor %s as %s', (actor, name) => {
    expect(describeActor(actor, NAMES)).toBe(name)
  })

  it('say what was changed, and show the other values next to it', () => {
    const issue = describeAction(
      entry('key.issue', { name: 'nightly', scopes: ['read', 'manage'] }, { key_id: '14' }),
      NAMES,
    )
    expect(issue).toEqual({ text: 'created the key “nightly”', facts: [['scopes', 'read, manage']] })
    expect(describeAction(entry('key.revoke', {}, { key_id: '12' }), NAMES).text).toBe(
      'revoked the key “build pipeline”',
    )
    expect(describeAction(entry('account.origins', { added: ['https://a.example'], removed: [] }), NAMES)).toEqual({
      text: 'allowed the origin https://a.example',
      facts: [],
    })
  })

  it('name a shared view, or give its id if it has no name any more', () => {
    expect(describeAction(entry('view.change', { view_id: '1', shared: true }), NAMES)).toEqual({
      text: 'changed the shared view “Firewalls”',
      facts: [],
    })
    expect(describeAction(entry('view.remove', { view_id: '2' }), NAMES)).toEqual({
      text: 'removed a shared view',
      facts: [['view id', '2']],
    })
  })

  it('name the states that were set', () => {
    const set = (states?: Record<string, number>) =>
      describeAction(
        entry('triage.set', { set: 1, removed: 0, cve_ids: ['CVE-2026-0001'], ...(states && { states }) }),
        NAMES,
      )
    expect(set({ accepted: 1 })).toEqual({ text: 'set the state “Accepted” for CVE-2026-0001', facts: [] })
    expect(set({ accepted: 2, fixed: 1 }).text).toBe('set “Accepted” (2), “Fixed” (1) for CVE-2026-0001')
    expect(set()).toEqual({ text: 'decided about CVE-2026-0001', facts: [] })
  })

  it('show an unknown action by its name', () => {
    expect(describeAction(entry('constructor', { since: 2 }), NAMES)).toEqual({
      text: 'constructor',
      facts: [['since', '2']],
    })
  })
})

describe('Roles', () => {
  it('let only owners make, change and remove owners', () => {
    expect(listGrantableRoles('owner')).toContain('owner')
    expect(listGrantableRoles('admin')).toEqual(['viewer', 'admin'])
    expect(listGrantableRoles('viewer')).toEqual([])
    expect([
      mayManageMember('admin', 'owner'),
      mayManageMember('admin', 'admin'),
      mayManageMember('owner', 'owner'),
    ]).toEqual([false, true, true])
  })
})

describe('Texts about failed changes', () => {
  it('advise checking whether a change was made if the response was lost', () => {
    expect(describeChangeError(new VisError({ code: 'NETWORK_ERROR', message: 'lost' }))).toMatch(
      /whether the change was made/,
    )
  })

  it('never repeat text from the address', () => {
    expect(describeProblem('<b>hello</b>')).toBe('The sign-in failed. Try again, or choose another way.')
    expect(describeProblem('constructor')).toBe(describeProblem('x'))
    expect(describeProblem(undefined)).toBe(undefined)
  })
})
