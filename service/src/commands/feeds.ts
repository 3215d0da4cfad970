import { Command } from 'commander'
import { loadConfig, loadEnvironment } from '../config.ts'
import type { Pool } from '../database/postgres.ts'
import { systemClock } from '../domain/clock.ts'
import { formatInstant } from '../domain/instant.ts'
import { readFeedStates, readRejections, readRuns } from '../feeds/engine/feed-status.ts'
import type { OpenedFeed } from '../feeds/feed-definition.ts'
import { chooseFeeds, openControl, openFeeds } from '../runtime/feed-runner.ts'
import { faultsOf, renderRun, renderState, runTable, stateTable } from './output/feeds.ts'
import { heading, remark, say, sayJson, table } from './output/print.ts'

const SHOWN_RUNS = 10
const SHOWN_REJECTIONS = 20

export function feedsCommand(): Command {
  return new Command('feeds')
    .description('how the feeds are doing; of one feed: its last runs, and what they could not use')
    .argument('[feed]', 'one of them')
    .option('--json', 'print JSON, for scripts')
    .action(async (name: string | undefined, { json = false }: { json?: boolean }) => {
      const config = loadConfig(loadEnvironment())
      const chosen = chooseFeeds(openFeeds(config), name === undefined ? [] : [name])
      const control = openControl(config)
      try {
        await (name === undefined ? showAll(control, chosen, json) : showOne(control, name, json))
      } finally {
        await control.close()
      }
    })
}

async function showAll(control: Pool, all: readonly OpenedFeed[], isJson: boolean): Promise<void> {
  const [feeds, now] = [all.map(({ feed }) => feed), systemClock()]
  const states = await readFeedStates(
    control.db,
    feeds.map(({ name }) => name),
  )
  const rendered = states.map((state, index) => renderState(state, feeds[index]?.staleAfterSeconds ?? 0, now))
  if (isJson) return sayJson(rendered)
  say(stateTable(rendered))
  for (const each of faultsOf(rendered)) remark(each)
}

async function showOne(control: Pool, name: string, isJson: boolean): Promise<void> {
  const runs = await readRuns(control.db, name, SHOWN_RUNS)
  const [latest] = runs
  const rejections = latest ? await readRejections(control.db, latest.id, SHOWN_REJECTIONS) : []
  if (isJson) return sayJson({ feed: name, runs: runs.map(renderRun), rejections })
  if (!latest) return remark(`${name} has never run. Run it: vis-server sync ${name}`)
  say(runTable(runs))
  for (const each of runs) for (const notice of each.notices) remark(`${formatInstant(each.startedAt)}: ${notice}`)
  if (rejections.length === 0) return
  say(heading(`\nWhat the last run could not use (${rejections.length} of ${latest.rejected})`))
  say(
    table(
      ['record', 'why', 'in'],
      rejections.map(({ subject, reason, delivery }) => [subject, reason, delivery]),
    ),
  )
}
