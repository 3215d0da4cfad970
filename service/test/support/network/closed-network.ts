// A closed network: whoever reaches for an address outside this machine fails, in tests and in the processes they start.
import { isIP, Socket } from 'node:net'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

const connect = Socket.prototype.connect

interface Target {
  readonly host?: string | null
  readonly path?: string | null
}

function targetOf(first: unknown, second: unknown): Target {
  // Node normalises arguments into an array for its own callers.
  const [options, host] = Array.isArray(first) ? first : [first, second]
  if (typeof options === 'object' && options !== null) return options
  if (typeof options === 'string' && Number.isNaN(Number(options))) return { path: options }
  return { host: typeof host === 'string' ? host : 'localhost' }
}

Socket.prototype.connect = function closed(this: Socket, ...sent: unknown[]): Socket {
  const { host, path } = targetOf(sent[0], sent[1])
  const address = host ?? 'localhost'
  if (!path && !LOOPBACK.test(address)) {
    const kind = isIP(address) ? 'address' : 'host'
    throw new Error(`The network is closed in tests: nothing may connect to the ${kind} ${address}.`)
  }
  return Reflect.apply(connect, this, sent)
}
