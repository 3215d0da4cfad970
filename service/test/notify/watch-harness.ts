// A catalog with its publisher, accounts with watches, and the evaluator round by round.
import { openSession } from '../../src/database/session.ts'
import { ROUND_LIMITS, type Round, type RoundLimits, runRound } from '../../src/notify/evaluate/round.ts'
import { createSpanRegistry } from '../../src/notify/evaluate/spans.ts'
import { type CatalogHarness, createCatalogHarness } from '../catalog/catalog-setup.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'

export interface ToldEvent {
  readonly account: number
  readonly nr: number
  readonly watch: number | null
  readonly seq: string | null
  readonly subject: string | null
  readonly type: string
  readonly kinds: readonly string[]
  readonly enteredBy: readonly string[]
  readonly isMuted: boolean
  readonly detail: Readonly<Record<string, unknown>> | null
}

export interface WatchHarness extends CatalogHarness {
  createAccount(): Promise<number>
  /** Returns the id of the watch. */
  createWatch(account: number, query: string, kinds?: readonly string[]): Promise<number>
  changeWatch(watch: number, query: string): Promise<void>
  removeWatch(watch: number): Promise<void>
  /** Judges until there is nothing more to judge. Returns the results of the rounds. */
  judge(limits?: Partial<RoundLimits>): Promise<readonly Round['result'][]>
  /** Forgets what the evaluator had in memory, like a process that was killed. */
  restart(): void
  /** With the newest known numbers by account, only later events. */
  readEvents(after?: ReadonlyMap<number, number>): Promise<readonly ToldEvent[]>
  /** Deletes accounts, watches, events and the evaluator's position. */
  resetWatches(): Promise<void>
}

const DEFAULT_KINDS = ['entered', 'left', 'exploited']

export async function createWatchHarness(existingUrl?: string): Promise<WatchHarness> {
  const catalog = await createCatalogHarness(existingUrl)
  const { url, selectRows } = catalog
  const [accounts, reading] = [openSession(url, 'notify'), openSession(url, 'notify-catalog')]
  cleanUpAfterTests(async () => {
    await accounts.close()
    await reading.close()
  })
  let registry = createSpanRegistry(failOnInvalid)
  let mark: string | undefined
  return {
    ...catalog,
    ...createWatchActions(selectRows),
    judge: async (limits = {}) => {
      const results: Round['result'][] = []
      for (;;) {
        const context = { accounts, catalog: reading.db, registry, mark, keepsWatches: false }
        const round = await runRound({ ...context, limits: { ...ROUND_LIMITS, ...limits } })
        mark = round.mark ?? mark
        results.push(round.result)
        if (round.result !== 'judged' && round.result !== 'gap') return results
      }
    },
    restart: () => {
      registry = createSpanRegistry(failOnInvalid)
      mark = undefined
    },
    resetWatches: async () => {
      await selectRows(EMPTY_WATCHES)
      registry.forget()
      mark = undefined
    },
  }
}

type WatchActions = Pick<WatchHarness, 'createAccount' | 'createWatch' | 'changeWatch' | 'removeWatch' | 'readEvents'>

/** What callers do, as the functions of the API do it. */
function createWatchActions(selectRows: CatalogHarness['selectRows']): WatchActions {
  return {
    createAccount: async () => {
      const [row] = await selectRows<{ id: string }>(
        "insert into accounts.account (name, plan, limit_half) values ('a', 'pro', 1) returning id",
      )
      return Number(row?.id)
    },
    createWatch: async (account, query, kinds = DEFAULT_KINDS) => {
      const [row] = await selectRows<{ id: string }>(`
        with saved as (
          insert into accounts.view (account_id, is_shared, name, query, kinds)
          values (${account}, true, gen_random_uuid()::text, '${query}', '{${kinds.join(',')}}')
          returning *
        )
        select id, notify.begin_span(id, revision, account_id, query, kinds, newest.seq, newest.tag)
          from saved, (${NEWEST}) newest`)
      return Number(row?.id)
    },
    changeWatch: async (watch, query) => {
      await selectRows(`
        do $$
        declare
          saved accounts.view;
          ended record;
        begin
          update accounts.view set query = '${query}', revision = revision + 1 where id = ${watch} returning * into saved;
          select * into ended from (${NEWEST}) newest, notify.end_span(${watch}, newest.seq, newest.tag) ended (at_seq, at_tag);
          perform notify.begin_span(
            saved.id, saved.revision, saved.account_id, saved.query, saved.kinds, ended.at_seq, ended.at_tag);
        end $$`)
    },
    removeWatch: async (watch) => {
      await selectRows(`select notify.end_span(${watch}, seq, tag) from (${NEWEST}) newest`)
      await selectRows(`delete from accounts.view where id = ${watch}`)
    },
    readEvents: (after = new Map()) => selectRows<ToldEvent>(selectEvents(after)),
  }
}

const selectEvents = (after: ReadonlyMap<number, number>) => `
  select event.account_id::int as account, nr::int, watch_id::int as watch, event.seq::text, subject, type, kinds,
         entered_by as "enteredBy", is_muted as "isMuted", detail
    from notify.event event
    left join notify.news news on news.seq = event.seq and news.subject_key = event.subject_key
    left join unnest('{${[...after.keys()].join()}}'::bigint[], '{${[...after.values()].join()}}'::bigint[]) known (account_id, last_nr)
      on known.account_id = event.account_id
   where event.nr > coalesce(known.last_nr, 0)
   order by event.account_id, nr`

const EMPTY_WATCHES = `
  truncate notify.watch_span, notify.inbox, notify.news, notify.event, notify.recalculation, notify.recalculation_wave;
  delete from accounts.view;
  update notify.evaluator set seq = null, tag = null`

/** Position of the newest change, or of the empty log. */
const NEWEST =
  'select seq, tag from (select seq, tag from catalog.change union all select 0, 0) log order by seq desc limit 1'

function failOnInvalid(watch: string, error: unknown): never {
  throw new Error(`watch ${watch} cannot be judged`, { cause: error })
}
