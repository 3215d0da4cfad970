// The attacks of the isolation measurements: one row for each, which names the endpoints that it calls. A test compares
// the rows with openapi.json, so that every endpoint is attacked, or covered by an attack on the same work.
import type { Plan } from '../../../service/src/domain/account/plan.ts'
import { ACCOUNT_ATTACKS } from './account-attacks.ts'
import {
  countAllFacets,
  countFacets,
  guessKeys,
  guessSessions,
  leaveDocumentsUnfinished,
  matchVersions,
  type PrepareAttack,
  pipelineBatches,
  prioritizeMany,
  readAsStranger,
  readPaths,
  readSnapshotParts,
  scanDocuments,
  searchByProduct,
  sendCalls,
  sendInvalidCalls,
  signIn,
  signInBehindFiles,
} from './attack-calls.ts'
import { buildExpensiveSearch, buildLargeBatch, buildMostExpensiveSearch } from './calls.ts'

export interface Attack {
  readonly title: string
  /** Endpoints of openapi.json that the attack calls. */
  readonly calls: readonly string[]
  /** Further endpoints that the attack stands for, with the reason. */
  readonly covers?: Readonly<Record<string, string>>
  /** Plan of the attacking accounts; `none` for clients without credentials. */
  readonly plan: Plan | 'none'
  readonly accounts: number
  /** Concurrent calls of each account. */
  readonly concurrency: number
  readonly burstEveryMs?: number
  /**
   * loop: every call follows the answer of the one before. abandon: the client closes the connection 100 ms after its call.
   * hold: the client sends its bytes, and reads nothing.
   */
  readonly manner: 'loop' | 'abandon' | 'hold'
  readonly prepare: PrepareAttack
  /** True if the attack needs a snapshot of the catalog. */
  readonly needsSnapshot?: boolean
}

const PRO = { plan: 'pro', accounts: 1, manner: 'loop' } as const
const STRANGERS = { plan: 'none', accounts: 1, manner: 'loop' } as const

export const ATTACKS = {
  search: {
    ...PRO,
    title: '64 expensive searches',
    calls: ['GET /api/v1/cves'],
    concurrency: 64,
    prepare: sendCalls(buildExpensiveSearch),
  },
  // The free plan allows 60 calls per minute. Bursts follow each other after a little more than a minute, so that the
  // rate limit accepts every call of the next burst.
  burst: {
    plan: 'free',
    accounts: 5,
    manner: 'loop',
    title: '60 searches at once of each of five free accounts',
    calls: ['GET /api/v1/cves'],
    concurrency: 60,
    burstEveryMs: 60_500,
    prepare: sendCalls(buildMostExpensiveSearch),
  },
  'search-product': {
    ...PRO,
    title: '32 searches with cpe= and with facets',
    calls: ['GET /api/v1/cves', 'GET /api/v1/cves/facets'],
    concurrency: 32,
    prepare: searchByProduct,
  },
  facets: {
    ...PRO,
    title: '64 × facets over the whole catalog',
    calls: ['GET /api/v1/cves/facets'],
    concurrency: 64,
    prepare: countAllFacets,
  },
  exports: {
    ...PRO,
    title: '32 × exports of thousands of CVEs',
    calls: ['GET /api/v1/cves/export'],
    concurrency: 32,
    prepare: readPaths(
      '/cves/export?severity=critical&published_after=2024-01-01&sort=priority_desc',
      '/cves/export?kev=true&sort=epss_asc',
    ),
  },
  'exports-unread': {
    ...PRO,
    title: '32 connections that leave exports unread',
    calls: ['GET /api/v1/cves/export'],
    concurrency: 32,
    manner: 'hold',
    prepare: readPaths('/cves/export?severity=critical&published_after=2024-01-01'),
  },
  'facets-abandoned': {
    ...PRO,
    title: '16 abandoned facets',
    calls: ['GET /api/v1/cves/facets'],
    concurrency: 16,
    manner: 'abandon',
    prepare: countFacets,
  },
  recent: {
    ...PRO,
    title: '32 × /cves/recent',
    calls: ['GET /api/v1/cves/recent'],
    concurrency: 32,
    prepare: readPaths('/cves/recent?days=30&limit=100', '/cves/recent?days=30&type=modified&limit=100'),
  },
  statistics: {
    ...PRO,
    title: '32 × /stats/series and /stats/top',
    calls: ['GET /api/v1/stats/series', 'GET /api/v1/stats/top'],
    concurrency: 32,
    prepare: readPaths(
      '/stats/series?metric=published&by=severity&bucket=month&from=2010-01-01&to=2025-12-31',
      '/stats/series?metric=exploit_added&bucket=day&from=2025-01-01&to=2025-12-31',
      '/stats/top?of=product&metric=published&from=2025-01-01&to=2025-12-31&limit=50',
      '/stats/top?of=cwe&metric=published&from=2025-01-01&to=2025-12-31&limit=50',
    ),
  },
  batch: {
    ...PRO,
    title: '32 batches of the largest records',
    calls: ['POST /api/v1/cve/batch'],
    concurrency: 32,
    prepare: sendCalls((dice, { largest }) => buildLargeBatch(largest, dice)),
  },
  'batch-gzip': {
    ...PRO,
    title: '32 batches of the largest records, with gzip',
    calls: ['POST /api/v1/cve/batch'],
    concurrency: 32,
    prepare: sendCalls((dice, { largest }) => buildLargeBatch(largest, dice), 'Accept-Encoding: gzip\r\n'),
  },
  'batch-unread': {
    ...PRO,
    title: '64 connections that leave batches unread',
    calls: ['POST /api/v1/cve/batch'],
    concurrency: 64,
    manner: 'hold',
    prepare: pipelineBatches,
  },
  match: {
    ...PRO,
    title: '16 × /match of 100 versions of the largest product',
    calls: ['POST /api/v1/match'],
    concurrency: 16,
    prepare: matchVersions('largest'),
  },
  'match-abandoned': {
    ...PRO,
    title: '16 abandoned × /match of 100 versions',
    calls: ['POST /api/v1/match'],
    concurrency: 16,
    manner: 'abandon',
    prepare: matchVersions('largest'),
  },
  sbom: {
    ...PRO,
    title: '8 × /sbom of 5,000 components',
    calls: ['POST /api/v1/sbom'],
    concurrency: 8,
    prepare: scanDocuments,
  },
  'sbom-abandoned': {
    ...PRO,
    title: '8 abandoned × /sbom of 5,000 components',
    calls: ['POST /api/v1/sbom'],
    concurrency: 8,
    manner: 'abandon',
    prepare: scanDocuments,
  },
  'sbom-unfinished': {
    plan: 'free',
    accounts: 3,
    title: '4 unfinished documents of each of three free accounts',
    calls: ['POST /api/v1/sbom'],
    concurrency: 4,
    manner: 'hold',
    prepare: leaveDocumentsUnfinished,
  },
  prioritize: {
    ...PRO,
    title: '32 × /prioritize of 500 ids',
    calls: ['POST /api/v1/prioritize'],
    concurrency: 32,
    prepare: prioritizeMany,
  },
  'prioritize-abandoned': {
    ...PRO,
    title: '32 abandoned × /prioritize',
    calls: ['POST /api/v1/prioritize'],
    concurrency: 32,
    manner: 'abandon',
    prepare: prioritizeMany,
  },
  'snapshot-unread': {
    ...PRO,
    title: '64 connections that leave parts of a snapshot unread',
    calls: ['GET /api/v1/snapshots/{snapshot-id}/parts/{part}'],
    concurrency: 64,
    manner: 'hold',
    prepare: readSnapshotParts,
    needsSnapshot: true,
  },
  changes: {
    ...PRO,
    title: '32 × the change log from its start',
    calls: ['GET /api/v1/changes', 'GET /api/v1/changes/summary', 'GET /api/v1/changes/records'],
    concurrency: 32,
    prepare: readPaths(
      '/changes?since=start&limit=500&min_level=P0',
      '/changes/summary?since=start',
      '/changes/records?since=start&limit=100',
    ),
  },
  'long-polls': {
    ...PRO,
    title: '64 calls that wait for changes',
    calls: ['GET /api/v1/changes'],
    concurrency: 64,
    prepare: readPaths('/changes?since={newest}&wait=25'),
  },
  records: {
    ...PRO,
    title: '64 × records that are not in the cache, with all that belongs to them',
    calls: [
      'GET /api/v1/cve/{cve-id}',
      'GET /api/v1/cve/{cve-id}/detail',
      'GET /api/v1/cve/{cve-id}/exploits',
      'GET /api/v1/cve/{cve-id}/history',
      'GET /api/v1/cve/{cve-id}/epss',
      'GET /api/v1/alias/{alias}',
      'GET /api/v1/snapshots',
    ],
    concurrency: 64,
    prepare: readPaths(
      '/cve/{id}?include=configurations',
      '/cve/{id}/detail',
      '/cve/{id}/exploits?limit=100',
      '/cve/{id}/history?limit=100',
      '/cve/{id}/epss?from=2024-01-01',
      '/alias/GHSA-JFH8-C2JP-5V3Q',
      '/snapshots',
    ),
  },
  'warm-records': {
    ...PRO,
    title: '64 × a record from the cache',
    calls: ['GET /api/v1/cve/{cve-id}'],
    concurrency: 64,
    prepare: sendCalls((dice, { warm }) => ({
      kind: 'get-cve',
      method: 'GET',
      path: `/api/v1/cve/${warm[dice.below(20)]}`,
    })),
  },
  'as-of': {
    ...PRO,
    title: '32 × records as of a day',
    calls: ['GET /api/v1/cve/{cve-id}/as-of/{date}'],
    concurrency: 32,
    prepare: readPaths('/cve/{id}/as-of/2026-08-01', '/cve/{id}/as-of/2025-03-05'),
  },
  lists: {
    ...PRO,
    title: '32 × KEV, its history, and EPSS movers',
    calls: ['GET /api/v1/kev', 'GET /api/v1/kev/history', 'GET /api/v1/epss/movers'],
    concurrency: 32,
    prepare: readPaths('/kev?limit=100', '/kev/history?limit=100', '/epss/movers?days=30&limit=100'),
  },
  suggest: {
    ...PRO,
    title: '32 × names with a typing mistake',
    calls: ['GET /api/v1/suggest'],
    concurrency: 32,
    prepare: readPaths('/suggest?of=product&q=micrsoft&limit=20', '/suggest?of=vendor&q=e&limit=20'),
  },
  ...ACCOUNT_ATTACKS,
  'small-answers': {
    ...PRO,
    title: '64 × answers from memory',
    calls: [
      'GET /api/v1/ping',
      'GET /api/v1/ping-lite',
      'GET /api/v1/policy',
      'GET /api/v1/filters',
      'GET /api/v1/stats',
    ],
    concurrency: 64,
    prepare: readPaths('/ping', '/ping-lite', '/policy', '/filters', '/stats'),
  },
  'invalid-calls': {
    ...PRO,
    title: '64 × invalid calls, free of charge',
    calls: [],
    concurrency: 64,
    prepare: sendInvalidCalls,
  },
  'wrong-keys': { ...STRANGERS, title: '64 × wrong keys', calls: [], concurrency: 64, prepare: guessKeys },
  'sign-in': { ...STRANGERS, title: '64 × sign-ins that fail', calls: [], concurrency: 64, prepare: signIn },
  'sign-in-behind-files': {
    ...STRANGERS,
    title: '20 connections with unread files and sign-ins behind them',
    calls: [],
    concurrency: 20,
    manner: 'hold',
    prepare: signInBehindFiles,
  },
  sessions: {
    ...STRANGERS,
    title: '128 × guessed session cookies',
    calls: [],
    concurrency: 128,
    prepare: guessSessions,
  },
  'public-files': {
    ...STRANGERS,
    title: '64 × public pages and files',
    calls: ['GET /health'],
    concurrency: 64,
    prepare: readAsStranger('/openapi.json', '/docs', '/docs/guide/matching', '/llms.txt', '/health', '/'),
  },
} as const satisfies Record<string, Attack>

export type AttackName = keyof typeof ATTACKS

export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[]

/** Returns the row of an attack. */
export const findAttack = (name: AttackName): Attack => ATTACKS[name]
