// The attacks on what an account keeps: keys, members, views, triage. attacks.ts lists them with the others.
import { postBodies, readPaths } from './attack-calls.ts'
import type { Attack } from './attacks.ts'

const PRO = { plan: 'pro', accounts: 1, manner: 'loop' } as const

const drawEntry = (dice: { below(limit: number): number }) => ({
  cve_id: `CVE-2024-${10_000 + dice.below(50_000)}`,
  scope: 'pkg:npm/lodash',
})

export const ACCOUNT_ATTACKS = {
  'account-reads': {
    ...PRO,
    title: '64 × what an account reads about itself',
    calls: [
      'GET /api/v1/usage',
      'GET /api/v1/usage/breakdown',
      'GET /api/v1/keys',
      'GET /api/v1/origins',
      'GET /api/v1/members',
      'GET /api/v1/members/me',
      'GET /api/v1/audit',
      'GET /api/v1/audit/export',
      'GET /api/v1/views',
      'GET /api/v1/views/{view-id}',
    ],
    concurrency: 64,
    prepare: readPaths(
      '/usage',
      '/usage/breakdown?by=day,endpoint,key',
      '/keys',
      '/origins',
      '/members',
      '/members/me',
      '/audit?limit=100',
      '/audit/export',
      '/views',
      '/views/new-in-kev',
    ),
  },
  'account-writes': {
    ...PRO,
    title: '32 × changes of keys, origins, members and views',
    calls: [
      'POST /api/v1/keys',
      'POST /api/v1/keys/{key-id}/rotate',
      'POST /api/v1/keys/{key-id}/revoke',
      'POST /api/v1/origins',
      'POST /api/v1/origins/remove',
      'POST /api/v1/members',
      'POST /api/v1/members/{member-id}/role',
      'POST /api/v1/members/{member-id}/remove',
      'POST /api/v1/members/me/seen',
      'POST /api/v1/views',
      'POST /api/v1/views/{view-id}',
      'POST /api/v1/views/{view-id}/remove',
    ],
    concurrency: 32,
    prepare: postBodies(
      ['/keys', (dice) => ({ name: `key ${dice.below(1e6)}`, scopes: ['read'] })],
      ['/keys/999999999/rotate', () => ({})],
      ['/keys/999999999/revoke', () => ({})],
      ['/origins', (dice) => ({ origin: `https://a${dice.below(50)}.example` })],
      ['/origins/remove', (dice) => ({ origin: `https://a${dice.below(50)}.example` })],
      ['/members', (dice) => ({ email: `a${dice.below(1e6)}@example.org`, role: 'viewer' })],
      ['/members/999999999/role', () => ({ role: 'viewer' })],
      ['/members/999999999/remove', () => ({})],
      ['/members/me/seen', () => ({ position: '1:0000000000000000' })],
      ['/views', (dice) => ({ name: `view ${dice.below(1e6)}`, query: 'kev_added_after=today-7d' })],
      ['/views/999999999', () => ({ revision: 1, name: 'absent', query: 'kev=true' })],
      ['/views/999999999/remove', () => ({})],
    ),
  },
  'triage-reads': {
    ...PRO,
    title: '32 × triage entries and their document',
    calls: ['GET /api/v1/triage', 'GET /api/v1/triage/cve/{cve-id}', 'GET /api/v1/triage/openvex'],
    concurrency: 32,
    prepare: readPaths('/triage?limit=500&effect=reopened', '/triage/cve/CVE-2021-44228', '/triage/openvex'),
  },
  'triage-writes': {
    ...PRO,
    title: '32 × changes of triage, 500 at once',
    calls: [
      'POST /api/v1/triage',
      'POST /api/v1/triage/bulk',
      'POST /api/v1/triage/remove',
      'POST /api/v1/triage/openvex',
    ],
    concurrency: 32,
    prepare: postBodies(
      ['/triage', (dice) => ({ ...drawEntry(dice), state: 'fixed' })],
      [
        '/triage/bulk',
        (dice) => ({ set: Array.from({ length: 500 }, () => ({ ...drawEntry(dice), state: 'fixed' })) }),
      ],
      ['/triage/remove', drawEntry],
      ['/triage/openvex', () => ({ document: { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [] } })],
    ),
  },
} as const satisfies Record<string, Attack>
