import { expect, it } from 'vitest'
import { createServerCheck } from '../../src/runtime/mail/check-server.ts'
import { createMailServer } from '../../src/runtime/mail/smtp.ts'
import { startMailServer } from '../support/network/mail-server.ts'

const mail = await startMailServer()

it('The check of the mail server reports the beginning and the end of an outage once, even if no mail waits', async () => {
  const changes: boolean[] = []
  const check = createServerCheck(createMailServer(mail.url, 'vis@example.org'), (isDelayed) => changes.push(isDelayed))
  expect(await check.isReady()).toBe(true)
  await mail.stop()
  expect([await check.isReady(), await check.isReady()]).toEqual([false, false])
  await check.recheck()
  expect(changes).toEqual([true])

  await mail.restart()
  await check.recheck()
  await check.recheck()
  expect(changes).toEqual([true, false])
})
