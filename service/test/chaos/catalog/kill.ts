// The process dies between what a feed committed and its publication, or in the middle of it; many times over.
import { expect } from 'vitest'
import { type Moment, nthFaultLink } from '../../support/network/nth-fault-proxy.ts'
import { type Inspector, openInspector } from '../feeds/content.ts'
import { type Ended, startFeeds } from '../feeds/process.ts'
import { type ClonedDatabase, cloneOf, expectSuccess, type FeedsWorld } from '../feeds/setup.ts'

/** Everything that is served, but for the times at which it was published. */
const SERVED = `
  select 'cve' as part, sum(hashtextextended(held::text, 0)) as content from catalog.cve held
  union all
  select 'document', sum(hashtextextended((to_jsonb(held) - 'enriched_at')::text, 0)) from catalog.cve_document held
  union all
  select 'detail', sum(hashtextextended((to_jsonb(held) - 'created_at' - 'updated_at')::text, 0))
    from catalog.cve_detail held
  union all
  select 'epss', sum(hashtextextended(held::text, 0)) from catalog.epss held
  union all
  select 'release', sum(hashtextextended(held::text, 0)) from catalog.epss_release held
  union all
  select 'kev', sum(hashtextextended(held::text, 0)) from catalog.kev held
  union all
  select 'changes', sum(hashtextextended(concat_ws('|', cve_key, kind, fields), 0)) from catalog.change
  union all
  select 'statistics', sum(hashtextextended((to_jsonb(held) - 'change_seq')::text, 0)) from catalog.statistic held
  union all
  select 'waiting', count(*) from source.publication_queue
`

export interface CatalogKills {
  readonly kills: number
  readonly calls: number
  /** How many changes were published when the process died; once for each kill. */
  readonly published: readonly number[]
}

/** A database in which the first edition is published, and the second only stored. */
async function storedButNotPublished(world: FeedsWorld): Promise<ClonedDatabase> {
  const start = await world.clone()
  expectSuccess(await publishIn(start.url))
  expectSuccess(await world.sync(start.url).ended)
  return start
}

function publishIn(url: string): Promise<Ended> {
  return startFeeds(['catalog', 'publish', '--json'], { DATABASE_URL: url }).ended
}

async function served({ look }: Inspector): Promise<unknown> {
  return look(SERVED)
}

export async function killPublications(world: FeedsWorld, wanted: number): Promise<CatalogKills> {
  const start = await storedButNotPublished(world)
  const reference = await cloneOf(nameIn(start.url))
  const link = await nthFaultLink(reference.url)
  link.arm()
  expectSuccess(await publishIn(link.url))
  const calls = link.calls.length
  const undisturbed = await openInspector(reference.url, world.slice)
  const expected = await served(undisturbed)
  const published: number[] = []
  for (let trial = 0; trial < wanted; trial += 1) {
    // The first at the very beginning: the feed has committed, and nothing was published.
    const call = trial === 0 ? 1 : 1 + Math.floor(Math.random() * calls)
    const moment: Moment = trial % 2 === 0 ? 'before' : 'answered'
    published.push(await killAndPublish(world, start, { call, moment, expected }))
  }
  await undisturbed.close()
  return { kills: published.length, calls, published }
}

interface Trial {
  readonly call: number
  readonly moment: Moment
  readonly expected: unknown
}

async function killAndPublish(world: FeedsWorld, start: ClonedDatabase, trial: Trial): Promise<number> {
  const database = await cloneOf(nameIn(start.url))
  const inspector = await openInspector(database.url, world.slice)
  const count = async () => Number((await inspector.look<{ count: string }>(CHANGES))[0]?.count)
  const before = await count()
  const link = await nthFaultLink(database.url)
  const process = startFeeds(['catalog', 'publish'], { DATABASE_URL: link.url })
  link.arm({
    call: trial.call,
    moment: trial.moment,
    strike: ({ cut }) => {
      process.signal('SIGKILL')
      cut()
    },
  })
  expect((await process.ended).code).toBeNull()
  link.close()
  const published = (await count()) - before
  expectSuccess(await publishIn(database.url))
  expect(await served(inspector)).toEqual(trial.expected)
  await inspector.close()
  await database.drop()
  return published
}

const CHANGES = 'select count(*) from catalog.change'

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1)
}
