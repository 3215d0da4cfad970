// A small version of the isolation measurements on a generated catalog. It compares only what holds on any machine; the
// long version, with all attacks, is isolation-table.long.ts.
import { describe, expect, it } from 'vitest'
import type { AnswerGroup } from './attacker.ts'
import type { AttackName } from './attacks.ts'
import { openGeneratedCatalog } from './catalogs.ts'
import { type IsolationPlan, measureAttackAlone, measureIsolation } from './measure.ts'
import { formatReport, summarisePhase } from './report.ts'

/** Default of DATABASE_POOL_SIZE. */
const POOL_SIZE = 10
/** Short enough for CI, and long enough for 60 calls of the victim under attack. */
const DURATIONS = { warmUpMs: 500, baselineMs: 1500, attackMs: 3000, recoveryMs: 0 }

const { subjects: _, ...databases } = await openGeneratedCatalog({ records: 20_000, rangesPerCve: 1 })

function createPlan(name: AttackName): IsolationPlan {
  return {
    ...databases,
    attack: name,
    ...DURATIONS,
    // Longer timeouts than in production: a busy machine must not cause refusals.
    settings: {
      CHARGE_DEADLINE_MS: '10000',
      DATABASE_ACQUIRE_TIMEOUT_MS: '5000',
      DATABASE_STATEMENT_TIMEOUT_MS: '20000',
      MAX_EVENT_LOOP_DELAY_MS: '10000',
    },
  }
}

/** Returns the answers that a paid account may not get: everything but 200 and the refusal of more than its share. */
function listWrongAnswers(answers: readonly AnswerGroup[]): readonly AnswerGroup[] {
  const isRefusal = ({ status, code, message, retryAfter }: AnswerGroup) =>
    status === 503 &&
    code === 'SERVICE_UNAVAILABLE' &&
    retryAfter !== undefined &&
    /^This account's (searches|batch calls) use more than its share/.test(message)
  return answers.filter((answer) => answer.status !== 200 && !isRefusal(answer))
}

describe('Isolation: one account attacks a node while another sends 20 calls per second', () => {
  it.each(['search', 'batch'] as const)(
    'attack %s: answers every call of the other account, and refuses the attacker only for exceeding its fair share',
    async (name) => {
      const report = await measureIsolation(createPlan(name))
      const [baseline, attacked] = [summarisePhase(report.baseline), summarisePhase(report.attacked)]
      const details = formatReport(name, report)
      expect([baseline.serverErrors, attacked.serverErrors, attacked.otherRefusals], details).toEqual([0, 0, 0])
      expect(listWrongAnswers(report.attack.answers), details).toEqual([])
      expect(attacked.p50, details).toBeLessThan(20 * baseline.p50 + 500)
    },
    400_000,
  )

  it('lets an account that is alone use every connection, and refuses nothing', async () => {
    const { attack, connectionsUsed } = await measureAttackAlone({ ...createPlan('search'), attackMs: 2000 })
    expect(attack.answers.map(({ status }) => status)).toEqual([200])
    expect(connectionsUsed).toBe(POOL_SIZE)
  }, 400_000)
})
