// Isolation measurements on the whole catalog: each attack must leave the calls of another account nearly undisturbed.
import { describe, expect, inject, it } from 'vitest'
import { openWholeCatalog } from '../../support/catalog/whole-catalog.ts'
import { realData } from '../../support/real-data.ts'
import { ATTACKS } from './attacks.ts'
import { measureIsolation } from './measure.ts'
import { computeBound, formatReport, summarisePhase } from './report.ts'

const folder = realData('the measurements of isolation on the whole catalog')
const url = folder === undefined ? '' : await openWholeCatalog(folder)

const MINUTE_MS = 60_000

const CASES = [
  { name: 'search', title: '64 concurrent expensive searches of another account', attackMs: MINUTE_MS },
  { name: 'batch', title: '32 concurrent batches of the 50 largest records', attackMs: MINUTE_MS },
  { name: 'batch-gzip', title: '32 concurrent batches of the 50 largest records, with gzip', attackMs: MINUTE_MS },
  { name: 'burst', title: '60 calls at once of each of five free accounts, every minute', attackMs: 3 * MINUTE_MS },
] as const

describe.skipIf(folder === undefined)('isolation on the whole catalog: one account sends 20 calls per second', () => {
  for (const { name, title, attackMs } of CASES) {
    it(`${title}: no 5xx, p99 at most 2 × baseline + 20 ms`, { timeout: 600_000 }, async () => {
      const report = await measureIsolation({
        databaseUrl: url,
        redisUrl: inject('redisUrl'),
        attack: ATTACKS[name],
        warmUpMs: 5000,
        baselineMs: MINUTE_MS,
        attackMs,
        recoveryMs: 10_000,
      })
      process.stdout.write(formatReport(title, report))
      const [baseline, attacked] = [summarisePhase(report.baseline), summarisePhase(report.attacked)]
      expect([attacked.serverErrors, attacked.otherRefusals]).toEqual([0, 0])
      expect(attacked.p99).toBeLessThanOrEqual(computeBound(baseline))
    })
  }
})
