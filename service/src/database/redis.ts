// The link to Redis, or none. It may vanish at any moment: a command then fails at once, or its caller stops waiting.
import { createClient } from '@redis/client'

const MAX_RECONNECT_MS = 2000

export type Redis = ReturnType<typeof newClient>

export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const client = newClient(url)
  client.on('error', onError)
  // Not awaited: a Redis that is away must not keep the service from starting; the client goes on trying.
  client.connect().catch(onError)
  return client
}

function newClient(url: string) {
  return createClient({
    url,
    // A queue of commands for later, or sending them again after a cut, would count calls twice.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 1000,
    socket: {
      connectTimeout: 1000,
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, MAX_RECONNECT_MS),
    },
  })
}
