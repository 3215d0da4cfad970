import { Registry } from '@prometheus-io/client'
import { expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { startEvaluator } from '../../src/notify/evaluator.ts'
import { createNotifyMetrics } from '../../src/runtime/notify/metrics.ts'
import { nvdRecord } from '../catalog/source-fixtures.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createWatchHarness } from './watch-harness.ts'

const POLL = { timeout: 30_000 }
const CVES = 40

it('Two evaluators at once tell each event once, while watches are changed', async () => {
  const harness = await createWatchHarness()
  const account = await harness.createAccount()
  const registries = [new Registry(), new Registry()]
  const evaluators = registries.map((registry) =>
    startEvaluator({
      accountsUrl: harness.url,
      catalogUrl: harness.url,
      log: createLog('silent'),
      metrics: createNotifyMetrics(registry),
    }),
  )
  cleanUpAfterTests(() => Promise.all(evaluators.map((each) => each.stop())))
  const ids = Array.from({ length: CVES }, (_, n) => `CVE-2026-${1000 + n}`)
  await harness.storeRecord('nvd', 'CVE-2026-9000', nvdRecord('CVE-2026-9000'))
  await harness.publish()
  const kept = await harness.createWatch(account, 'severity_min=7')
  const changed = await harness.createWatch(account, 'severity_min=7.1')
  for (const [index, id] of ids.entries()) {
    await harness.storeRecord('nvd', id, nvdRecord(id))
    if (index % 2 === 0) await harness.publish()
    if (index % 5 === 0) await harness.changeWatch(changed, index % 2 === 0 ? 'severity_min=7' : 'severity_min=7.1')
  }
  await harness.publish()
  const readKept = async () => (await harness.readEvents()).filter(({ watch }) => watch === kept)
  await expect.poll(async () => (await readKept()).length, POLL).toBe(CVES)
  const [log] = await harness.selectRows<{ seq: string }>('select max(seq) as seq from catalog.change')
  await expect.poll(() => harness.selectRows('select seq from notify.evaluator'), POLL).toEqual([log])
  const events = await harness.readEvents()
  expect(events.map(({ nr }) => nr)).toEqual(events.map((_, index) => index + 1))
  expect(new Set((await readKept()).map(({ subject }) => subject))).toEqual(new Set(ids))
  const written = await Promise.all(
    registries.map(async (registry) =>
      Number(/vis_watch_events_total\{type="matched"\} (\d+)/.exec(await registry.metrics())?.[1]),
    ),
  )
  expect(written.reduce((sum, count) => sum + count, 0)).toBe(events.length)
})
