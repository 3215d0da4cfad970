import { Client } from 'pg'
import { expect, inject, it } from 'vitest'
import { cleanUpAfterTests } from '../cleanup.ts'
import { createTestDatabase } from '../database.ts'
import { openDatabaseCpu } from './cpu.ts'

/** Adds up enough numbers to use more than 50 ms of processor time on any machine. */
const WORK = 'select sum(sqrt(n)) from generate_series(1, 1000000) as n'

async function work(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('set max_parallel_workers_per_gather = 0')
  await client.query(WORK)
  // The session must be sampled once after its work, at most 100 ms later.
  await client.query('select pg_sleep(0.3)')
  await client.end()
}

it('measuring the processor time includes ended sessions in the added database but not in other databases', async () => {
  const [own, other] = [await createTestDatabase(), await createTestDatabase()]
  const cpu = await openDatabaseCpu(inject('database').serverUrl)
  cleanUpAfterTests(cpu.close)
  cpu.add(new URL(own.url).pathname.slice(1))

  await work(other.url)
  expect(await cpu.read()).toBe(0)

  await work(own.url)
  const used = await cpu.read()
  expect(used).toBeGreaterThan(0.05)
  expect(await cpu.read()).toBe(used)
})
