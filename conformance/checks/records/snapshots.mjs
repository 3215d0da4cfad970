// Checks of snapshots: GET /snapshots and GET /snapshots/{snapshot-id}/parts/{part}.

import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { section, skip } from '../../lib/check.mjs'
import { ALL_ADD_ONS } from '../../lib/discovery.mjs'
import { ensure, equal, fails, ok, rejects, same } from '../../lib/expect.mjs'

const UNKNOWN_ID = '20000101T000000Z-00000000'

// Invalid paths: [description of the mistake, path below /snapshots, parameter in the error]
const BAD_PATHS = [
  ['an id of another form', '/newest/parts/1', 'snapshot-id'],
  ['the part 0', `/${UNKNOWN_ID}/parts/0`, 'part'],
  ['a part that is no number', `/${UNKNOWN_ID}/parts/one`, 'part'],
]

async function findNewest(api) {
  const [newest] = ok(await api.get('/snapshots')).snapshots
  return newest ?? skip('the service has no snapshot')
}

const partPath = ({ id }, part) => `/snapshots/${id}/parts/${part}`

export const checks = section('Snapshots', (check) => {
  check('the snapshots are listed newest first, with a position and the SHA-256 of each part', async ({ api }) => {
    await findNewest(api)
    const { snapshots } = ok(await api.get('/snapshots'))
    const times = snapshots.map(({ created_at }) => created_at)
    same(times, times.toSorted().toReversed(), 'times')
    for (const { id, next_since: since, parts, sha256, format } of snapshots) {
      equal(sha256.length, parts, `${id}: number of SHA-256`)
      equal(format, 'ndjson.gz', `${id}: format`)
      ok(await api.get('/changes/summary', { since }))
    }
  })

  check('a part has its SHA-256, and its lines are records in the order of their ids', async ({ api }) => {
    const newest = await findNewest(api)
    const answer = await api.get(partPath(newest, 1))
    equal(answer.status, 200, 'status')
    equal(answer.header('Content-Type'), 'application/gzip', 'Content-Type')
    equal(createHash('sha256').update(answer.raw).digest('hex'), newest.sha256[0], 'SHA-256')
    const lines = gunzipSync(answer.raw).toString('utf8').split('\n')
    equal(lines.pop(), '', 'end of the last line')
    const items = lines.map((line) => JSON.parse(line))
    const [first] = items
    const { cve } = ok(await api.get(`/cve/${first.cve_id}`, { include: ALL_ADD_ONS }))
    same(first, { cve_id: first.cve_id, gone: false, record: cve }, 'first record')
    const toNumbers = ({ cve_id }) => cve_id.split('-').slice(1).map(Number)
    ensure(
      items.every((item, index) => {
        const [[year, number], [previousYear, previous]] = [item, items[index - 1] ?? item].map(toNumbers)
        return index === 0 || year > previousYear || (year === previousYear && number > previous)
      }),
      'the ids are not in order',
    )
  })

  check('the ETag of a part gives 304, and HEAD gives its length without its bytes', async ({ api }) => {
    const path = partPath(await findNewest(api), 1)
    const head = await api.head(path)
    equal(head.status, 200, 'status of HEAD')
    ensure(Number(head.header('Content-Length')) > 0, 'no Content-Length')
    const headers = { 'If-None-Match': head.header('ETag') }
    equal((await api.get(path, undefined, { headers })).status, 304, 'status with the ETag')
  })

  check('a part above the last one returns 404, and an unknown snapshot 410 with the newest one', async ({ api }) => {
    const newest = await findNewest(api)
    fails(await api.get(partPath(newest, newest.parts + 1)), 404)
    equal(fails(await api.get(partPath({ id: UNKNOWN_ID }, 1)), 410).details.snapshot, newest.id, 'newest snapshot')
  })

  for (const [mistake, path, parameter] of BAD_PATHS) {
    check(`a part with ${mistake} is refused and names ${parameter}`, async ({ api }) =>
      rejects(await api.get(`/snapshots${path}`), parameter),
    )
  }
})
