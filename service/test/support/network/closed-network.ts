// Blocks connections to other machines, in tests and in the processes that tests start.
import { isIP, Socket } from 'node:net'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/

const connect = Socket.prototype.connect

interface ConnectTarget {
  readonly host?: string | null
  readonly path?: string | null
}

function parseTarget(first: unknown, second: unknown): ConnectTarget {
  // The modules of Node.js itself call Socket.connect with one array that contains all arguments.
  const [options, host] = Array.isArray(first) ? first : [first, second]
  if (typeof options === 'object' && options !== null) return options
  if (typeof options === 'string' && Number.isNaN(Number(options))) return { path: options }
  return { host: typeof host === 'string' ? host : 'localhost' }
}

Socket.prototype.connect = function connectToLoopbackOnly(this: Socket, ...args: unknown[]): Socket {
  const { host, path } = parseTarget(args[0], args[1])
  const address = host ?? 'localhost'
  if (!path && !LOOPBACK.test(address)) {
    const kind = isIP(address) ? 'address' : 'host'
    throw new Error(`The network is closed in tests: connecting to the ${kind} ${address} is not allowed.`)
  }
  return Reflect.apply(connect, this, args)
}
