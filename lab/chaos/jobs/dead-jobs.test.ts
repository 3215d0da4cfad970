// A mail that the mail server defers in every attempt, until an operator retries it.
import { describe, expect, it } from 'vitest'
import { MAIL } from '../../../service/src/runtime/jobs/queues.ts'
import { startMailServer } from '../../../service/test/support/network/mail-server.ts'
import { spawnCommand } from '../../../service/test/support/processes/command.ts'
import { waitUntil } from '../feeds/wait-until.ts'
import { readMessageId } from './received.ts'
import { readAskedMails } from './record.ts'
import { createJobsSetup } from './setup.ts'
import { askForMail, countDeadJobs, isIdle, startTime } from './work.ts'
import { startWorker } from './worker.ts'

const DEFERRED = 'deferred@example.org'
const TIMEOUT_MS = 120_000
const CVES = 10

describe('A mail that the mail server defers in every attempt', async () => {
  let isDeferring = true
  const server = await startMailServer({ isDeferred: (address) => isDeferring && address === DEFERRED })
  const { environment, query } = await createJobsSetup(server.url, CVES)
  const worker = await startWorker(environment)
  const runJobs = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await spawnCommand(['jobs', ...args], environment)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout + stderr).not.toContain('@')
    return stdout
  }
  /** Returns the first line of a table that begins with a word, as words. */
  const findRow = (table: string, word: string) =>
    table
      .split('\n')
      .find((line) => line.startsWith(`${word} `))
      ?.split(/\s+/)
      .slice(0, 5)

  await askForMail(query, DEFERRED)

  it('is listed as failed with the reason between its attempts', async () => {
    await expect
      .poll(async () => JSON.parse(await runJobs('list', '--json')).jobs)
      .toMatchObject([{ queue: MAIL.name, state: 'failed', reason: 'EENVELOPE' }])
  })

  it('is dead after the last attempt and listed with its queue, attempts and reason, but without its address', async () => {
    const time = startTime(query)
    await waitUntil('the job is dead', async () => (await countDeadJobs(query)) === 1, TIMEOUT_MS)
    await time.stop()
    const [mail] = await readAskedMails(query)
    const dead = { queue: MAIL.name, subject: mail?.id, attempts: MAIL.maxAttempts, reason: 'EENVELOPE' }
    expect(JSON.parse(await runJobs('dead', '--json'))).toMatchObject([dead])
    expect(await runJobs('dead')).toMatch(new RegExp(` mail +${mail?.id} +${MAIL.maxAttempts} .* EENVELOPE`))
    // Waiting, running, failed and dead jobs.
    expect(findRow(await runJobs('list'), MAIL.name)).toEqual([MAIL.name, '0', '0', '0', '1'])
    expect(server.received).toEqual([])
  })

  it('is sent after an operator has retried it', async () => {
    isDeferring = false
    const [{ id }] = JSON.parse(await runJobs('dead', '--json'))
    expect(await runJobs('retry', id)).toBe('1 job is waiting for another attempt.\n')
    const received = await server.receive(DEFERRED)
    expect(readMessageId(received)).toBe((await readAskedMails(query))[0]?.messageId)
    await waitUntil('the job is finished', () => isIdle(query), TIMEOUT_MS)
    expect(findRow(await runJobs('list'), MAIL.name)).toEqual([MAIL.name, '0', '0', '0', '0'])
    expect(server.received).toHaveLength(1)
  })

  it('is never named in the log', async () => {
    worker.signal('SIGTERM')
    const { code, stdout, stderr } = await worker.ended
    expect(code).toBe(0)
    expect(stdout).toContain('a job failed for the last time')
    expect(stdout + stderr).not.toContain(DEFERRED)
  })
})
