// Compares the published catalog with the source data, for `vis-server catalog rebuild --verify`.
import { type Verification, verify } from '../catalog/publish/verify.ts'
import { listenForStop } from '../runtime/stop-signal.ts'
import { chooseClock } from './input/clock-option.ts'
import { type CommandIo, readConfig } from './io.ts'
import { formatNumber, printJson, printLine } from './output/print.ts'
import { createPublishProgress } from './output/publish-progress.ts'
import { withCatalogSession } from './publish-now.ts'

interface VerifyOptions {
  readonly json?: boolean
  readonly now?: string
  readonly repair?: boolean
}

/** Sets the exit code to 1 if differences remain or CVEs could not be rendered. */
export async function verifyCatalog(
  io: CommandIo,
  { json = false, now, repair = false }: VerifyOptions,
): Promise<void> {
  const config = readConfig(io)
  const [clock, stop, line] = [chooseClock(config, now), listenForStop(), createPublishProgress(io.stderr)]
  const onProgress = line.show.bind(line)
  const found = await withCatalogSession(config, (session) =>
    verify({ session, clock, signal: stop.signal, onProgress }, { repair }),
  ).finally(() => {
    line.clear()
    stop.dispose()
  })
  const hasWrongCounts = found.wrongNameCounts > 0 && !repair
  if (found.differing > found.repaired || found.failed > 0 || hasWrongCounts) io.exitCode = 1
  if (json) return printJson(io, found)
  for (const text of [...describeVerification(found), ...describeCounts(found)]) printLine(io, text)
}

function describeVerification({ compared, queued, failed, differing, repaired, examples }: Verification): string[] {
  const skipped = queued === 0 ? '' : `; ${formatNumber(queued)} skipped, because they are queued for publication`
  const notRendered = failed === 0 ? '' : `; ${formatNumber(failed)} could not be rendered`
  const published = repaired === 0 ? '' : `; ${formatNumber(repaired)} published again`
  const omitted = differing - examples.length
  return [
    `CVEs compared: ${formatNumber(compared)}, ${formatNumber(differing)} differ${published}${skipped}${notRendered}`,
    ...examples.map(({ cveId, columns }) => `${cveId}  ${columns.join(', ')}`),
    ...(omitted > 0 ? [`and ${formatNumber(omitted)} more`] : []),
  ]
}

function describeCounts({ wrongNameCounts }: Verification): string[] {
  return wrongNameCounts === 0 ? [] : [`Names with a wrong number of CVEs: ${formatNumber(wrongNameCounts)}`]
}
