import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { loadConfig } from '../../../src/config.ts'
import { systemClock } from '../../../src/domain/clock.ts'
import { createLog } from '../../../src/log.ts'
import { assembleNode } from '../../../src/runtime/api-node.ts'
import { createTestDatabase } from '../../support/database.ts'

const { url } = await createTestDatabase()
const log = createLog('silent')
const config = loadConfig({ DATABASE_URL: url, CURSOR_SECRET: 'x'.repeat(32) })
const node = await assembleNode(config, { endpoints, clock: systemClock, log })
await node.app.listen({ port: 0, host: '127.0.0.1' })

describe('HTTP: server settings', () => {
  it('sets timeouts and the connection limit explicitly', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = node.app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 75_000,
      timeout: 20_000,
      maxConnections: 12_000,
    })
  })

  it('sends Connection: close on every response while draining', async () => {
    const { port } = Object(node.app.server.address())
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      await response.text()
      return [response.status, response.headers.get('connection')]
    }
    expect(await ask('/health')).toEqual([200, 'keep-alive'])
    node.startDraining()
    expect(await ask('/health')).toEqual([200, 'close'])
    expect(await ask('/%zz')).toEqual([404, 'close'])
    await node.close()
  })
})
