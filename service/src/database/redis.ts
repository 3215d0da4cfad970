// Connection to Redis. While Redis is unreachable, commands fail at once and the client reconnects in the background.
import { createClient } from '@redis/client'

const MAX_RECONNECT_DELAY_MS = 2000

export type Redis = ReturnType<typeof newClient>

export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const client = newClient(url)
  client.on('error', onError)
  // The connection is not awaited, because the service must start even if Redis is unreachable. The client keeps trying
  // to connect.
  client.connect().catch(onError)
  return client
}

function newClient(url: string) {
  return createClient({
    url,
    // Redis commands are not queued while disconnected: they would be sent after a reconnect and could count a request
    // twice.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 1000,
    socket: {
      connectTimeout: 1000,
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, MAX_RECONNECT_DELAY_MS),
    },
  })
}
