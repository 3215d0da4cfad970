import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startProcess } from '../../support/processes/server-process.ts'
import { chaosWorld } from './setup.ts'
import { openSlowSocket } from './slow-socket.ts'

const world = await chaosWorld()

describe('SIGTERM under slow sockets', () => {
  it('closes them as fast as ever, and does not wait for the hard stop', async () => {
    const node = await startProcess({ environment: { ...world.environment, DRAIN_DELAY_MS: '300' } })
    const target = { port: node.port, key: world.key }
    const slow = [openSlowSocket('header', target), openSlowSocket('silent', target)]
    await sleep(200)

    const code = await node.stop('SIGTERM')
    const ages = (await Promise.all(slow)).map(({ closedAfterMs = Number.POSITIVE_INFINITY }) => closedAfterMs)

    console.log(
      `SIGTERM under slow sockets: closed after ${ages.map((ms) => (ms / 1000).toFixed(1)).join(' s and ')} s`,
    )
    expect(code).toBe(0)
    expect(node.logLines.at(-1)).toContain('"wasCut":false')
    // Headers may take 10 s, looked at once a second; the rest is for a slow machine.
    expect(Math.max(...ages)).toBeLessThan(15_000)
  })
})
