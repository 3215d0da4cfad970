// Which events are muted: the account decided about the CVE in the watch (a triage state with the watch as scope).
import { type Kysely, sql } from 'kysely'
import type { Level } from '../../domain/priority/policy.ts'
import { type JudgedState, judgeState } from '../../domain/triage/effect.ts'
import type { Match } from './findings.ts'

export type IsMuted = (match: Match) => boolean

interface Row extends Omit<JudgedState, 'known'> {
  readonly account: string
  readonly cve: string
  readonly level: Level | null
  readonly isExploited: boolean
}

export async function readMutes(tx: Kysely<unknown>, matches: readonly Match[], now: Date): Promise<IsMuted> {
  const accounts = [...new Set(matches.map(({ span }) => span.account))]
  const subjects = [...new Set(matches.map(({ news }) => news.subject))]
  if (matches.length === 0) return () => false
  const { rows } = await sql<Row>`
    select account_id::text as account, cve_id as cve, scope, state, to_char(until, 'YYYY-MM-DD') as until, unless, level,
           is_exploited as "isExploited"
      from accounts.triage_state
     where kind = 'watch'
       and account_id = any(${accounts}::bigint[])
       and cve_id = any(${subjects}::text[])
  `.execute(tx)
  const states = new Map(rows.map((row) => [`${row.account} ${row.scope} ${row.cve}`, row]))
  return ({ span, news }) => {
    const row = states.get(`${span.account} watch:${span.watch} ${news.subject}`)
    if (!row) return false
    const { level, isExploited, ...state } = row
    return judgeState({ ...state, known: { level, isExploited } }, news.urgency, now).effect === 'suppresses'
  }
}
