import { Command } from 'commander'
import { loadDownloadConfig } from '../../config.ts'
import { type CollectReport, collectFeeds } from '../../feeds/bundle/collect-feeds.ts'
import { createKeyFiles, readFingerprint, readPrivateKey } from '../../feeds/bundle/keys.ts'
import type { ConfiguredFeed } from '../../feeds/feed-definition.ts'
import { chooseFeeds, describeMissingSetting, openFeedDownload, openFeeds } from '../../runtime/feed-runner.ts'
import { listenForStop } from '../../runtime/stop-signal.ts'
import { chooseClock, NOW_OPTION } from '../input/clock-option.ts'
import type { CommandIo } from '../io.ts'
import { buildDownloadTable, describeDownloads, formatDownloadProgress } from '../output/feeds-download.ts'
import { printJson, printLine, printNote, printTable } from '../output/print.ts'
import { createStatusLine } from '../output/progress.ts'

interface DownloadOptions {
  readonly to: string
  readonly key?: string
  readonly json?: boolean
  readonly now?: string
}

export function downloadCommand(io: CommandIo): Command {
  return new Command('download')
    .description('Download the files of feeds into a directory, for a machine without a network (no database needed)')
    .argument('[feeds...]', 'Names of the feeds; all feeds if none is named')
    .requiredOption('--to <directory>', 'Directory for the files; an earlier or interrupted download is continued')
    .option('--key <file>', 'Private key that signs the manifest (instead of FEEDS_BUNDLE_PRIVATE_KEY)')
    .option('--json', 'Print JSON')
    .option(...NOW_OPTION)
    .action(async (names: string[], _options: unknown, command: Command) => {
      // The option --json of the command `feeds` takes the one that follows the name of this command.
      const options = command.optsWithGlobals<DownloadOptions>()
      const reports = await download(io, names, options)
      if (options.json) printJson(io, reports)
      else printTable(io, buildDownloadTable(reports))
      for (const sentence of describeDownloads(reports)) printNote(io, sentence)
      if (reports.some(({ outcome }) => outcome !== 'collected')) io.exitCode = 1
    })
}

async function download(
  io: CommandIo,
  names: readonly string[],
  options: DownloadOptions,
): Promise<readonly CollectReport[]> {
  const config = loadDownloadConfig(io.readEnvironment())
  const chosen = chooseFeeds(openFeeds(config), names)
  const keyFile = options.key ?? config.feeds.bundlePrivateKey
  const privateKey = keyFile === '' ? undefined : await readPrivateKey(keyFile)
  const [clock, stop] = [chooseClock(config, options.now), listenForStop()]
  const line = createStatusLine(io.stderr, () => performance.now())
  try {
    return await collectFeeds(chosen.filter(canDownload), {
      directory: options.to,
      clock,
      signal: stop.signal,
      privateKey,
      openDownload: (feed) => openFeedDownload(config, feed, { signal: stop.signal, clock }),
      onProgress: (progress) => void line.show(formatDownloadProgress(progress)),
    })
  } finally {
    line.clear()
    stop.dispose()
    const skipped = chosen.filter((feed) => !canDownload(feed))
    for (const feed of skipped) printNote(io, `${feed.feed.name}: ${describeMissingSetting(feed)}`)
    if (privateKey) printNote(io, `The manifest is signed with the key ${readFingerprint(privateKey)}.`)
  }
}

function canDownload(feed: ConfiguredFeed): boolean {
  return describeMissingSetting(feed) === undefined
}

export function keyCommand(io: CommandIo): Command {
  return new Command('key')
    .description('Create the key pair that signs downloads: the private key stays here, the public key travels once')
    .requiredOption('--to <directory>', 'Directory for bundle-private.pem and bundle-public.pem')
    .action(async ({ to }: { readonly to: string }) => {
      const { privateKey, publicKey, fingerprint } = await createKeyFiles(to)
      printLine(io, fingerprint)
      printNote(io, `Private key: ${privateKey} (FEEDS_BUNDLE_PRIVATE_KEY on the machine that downloads)`)
      printNote(io, `Public key: ${publicKey} (FEEDS_BUNDLE_PUBLIC_KEY on the machine without a network)`)
    })
}
