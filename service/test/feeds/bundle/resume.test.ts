// A download that is killed is continued: complete files are not downloaded again.
import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createFolder, readManifest } from '../../commands/bundle-setup.ts'
import { startFeeds } from '../../faults/feeds/process.ts'
import { behaviours, startUpstream } from '../../support/network/upstream.ts'
import { runCommand } from '../../support/run-command.ts'
import { msrcDocument, msrcUpdates, vulnerabilities } from '../sources/msrc/fixtures.ts'

const MONTHS = ['2024-Apr', '2024-May', '2024-Jun', '2024-Jul', '2024-Aug']
const KILLED_AT = '/cvrf/2024-Jun'

it('continues after SIGKILL with the file that was not complete', async () => {
  const upstream = await startUpstream({
    '/updates': JSON.stringify(msrcUpdates(Object.fromEntries(MONTHS.map((month) => [month, '2024-08-21T07:00:00Z'])))),
  })
  for (const month of MONTHS) upstream.serve(`/cvrf/${month}`, msrcDocument(month, vulnerabilities(2)))
  const folder = await createFolder()
  const environment = { NODE_ENV: 'test', FEED_MSRC_URL: `${upstream.url}/`, FEEDS_PRIVATE_HOSTS: upstream.host }
  const download = ['feeds', 'download', 'msrc', '--to', folder]
  const isReached = new Promise<void>((resolve) => {
    upstream.serve(
      KILLED_AT,
      behaviours.inTurn(
        (_request, response) => {
          response.writeHead(200, { 'content-length': 1000 }).write('{')
          resolve()
        },
        msrcDocument('2024-Jun', vulnerabilities(2)),
      ),
    )
  })

  const first = startFeeds(download, environment)
  await isReached
  first.signal('SIGKILL')
  await first.ended
  expect(await readdir(folder)).not.toContain('manifest.json')
  const second = await runCommand([...download, '--json'], environment)

  expect(second.code).toBe(0)
  expect(JSON.parse(second.stdout)).toMatchObject([{ feed: 'msrc', outcome: 'collected', files: 5, downloaded: 3 }])
  const counts = MONTHS.map((month) => upstream.requests(`/cvrf/${month}`).length)
  expect(counts).toEqual([1, 1, 2, 1, 1])
  expect((await readManifest(folder)).files).toHaveLength(6)
  expect((await readdir(folder)).sort()).toEqual(['manifest.json', 'msrc', 'upstream-counts.json'])
})
