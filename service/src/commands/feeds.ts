import { Command } from 'commander'
import type { Pool } from '../database/postgres.ts'
import { systemClock } from '../domain/clock.ts'
import { formatInstant } from '../domain/instant.ts'
import { readFeedStates, readRejections, readRuns } from '../feeds/engine/feed-status.ts'
import type { ConfiguredFeed } from '../feeds/feed-definition.ts'
import { readLoading } from '../record/first-load.ts'
import { chooseFeeds, openFeedControlPool, openFeeds } from '../runtime/feed-runner.ts'
import { downloadCommand, keyCommand } from './bundle/download.ts'
import { type CommandIo, readConfig } from './io.ts'
import {
  buildRunTable,
  buildStateTable,
  describeErrors,
  describeFirstLoad,
  renderRun,
  renderState,
} from './output/feeds.ts'
import { printHeading, printJson, printNote, printTable } from './output/print.ts'

const MAX_SHOWN_RUNS = 10
const MAX_SHOWN_REJECTIONS = 20

export function feedsCommand(io: CommandIo): Command {
  return new Command('feeds')
    .description('Show the state of all feeds, or the last runs and rejected records of one feed')
    .argument('[feed]', 'Name of a feed')
    .addCommand(downloadCommand(io))
    .addCommand(keyCommand(io))
    .option('--json', 'Print JSON')
    .action(async (name: string | undefined, { json = false }: { json?: boolean }) => {
      const config = readConfig(io)
      const chosen = chooseFeeds(openFeeds(config), name === undefined ? [] : [name])
      const control = openFeedControlPool(config)
      try {
        await (name === undefined ? showAll(io, control, chosen, json) : showOne(io, control, name, json))
      } finally {
        await control.close()
      }
    })
}

async function showAll(
  io: CommandIo,
  control: Pool,
  chosen: readonly ConfiguredFeed[],
  isJson: boolean,
): Promise<void> {
  const [feeds, now] = [chosen.map(({ feed }) => feed), systemClock()]
  const states = await readFeedStates(
    control.db,
    feeds.map(({ name }) => name),
  )
  const rendered = states.map((state, index) => renderState(state, feeds[index]?.staleAfterSeconds ?? 0, now))
  if (isJson) return printJson(io, rendered)
  printTable(io, buildStateTable(rendered))
  for (const error of describeErrors(rendered)) printNote(io, error)
  const loading = await readLoading(control.db)
  if (loading) printNote(io, describeFirstLoad(loading))
}

async function showOne(io: CommandIo, control: Pool, name: string, isJson: boolean): Promise<void> {
  const runs = await readRuns(control.db, name, MAX_SHOWN_RUNS)
  const [latest] = runs
  const rejections = latest ? await readRejections(control.db, latest.id, MAX_SHOWN_REJECTIONS) : []
  if (isJson) return printJson(io, { feed: name, runs: runs.map(renderRun), rejections })
  if (!latest) return printNote(io, `The feed ${name} has never run. Run it: vis-server sync ${name}`)
  printTable(io, buildRunTable(runs))
  for (const run of runs) for (const notice of run.notices) printNote(io, `${formatInstant(run.startedAt)}: ${notice}`)
  if (rejections.length === 0) return
  printHeading(io, `\nRejected records of the last run (${rejections.length} of ${latest.rejected})`)
  printTable(io, {
    headings: ['record', 'reason', 'file'],
    rows: rejections.map(({ subject, reason, delivery }) => [subject, reason, delivery]),
  })
}
