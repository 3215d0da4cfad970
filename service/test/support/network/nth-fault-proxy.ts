// A TCP proxy in front of PostgreSQL that understands what a client asks for, counts it, and strikes at one call.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from '../cleanup.ts'

export interface NthFaultProxy {
  /** The same address, but through the proxy. */
  readonly url: string
  /** What was asked since the link was armed, in order: `connect`, statements, `copy data`, `copy end`. */
  readonly calls: readonly string[]
  /** Whether the call was reached at which it was to strike. */
  readonly hasStruck: boolean
  /** Counts anew from 1, and strikes once; without a strike it only counts. Whoever was away is back. */
  arm(strike?: Strike): void
  /** Cuts all connections, and every new one, until it is armed again. */
  goAway(): void
  close(): void
}

export interface Strike {
  /** The call of this number, from 1 on; or the first one of this form. */
  readonly call: number | RegExp
  /** `before`: the server does not know of it yet. `answered`: it has done it, and the client has not been told. */
  readonly moment: Moment
  /** The connection stands still until one of the two is chosen. */
  strike(held: Held): void
}

export type Moment = 'before' | 'answered'

export interface Held {
  cut(): void
  passOn(): void
}

interface State {
  calls: string[]
  strike: Strike | undefined
  hasStruck: boolean
  isAway: boolean
  readonly links: Set<Link>
}

interface Link {
  cut(): void
}

export async function nthFaultLink(target: string): Promise<NthFaultProxy> {
  const state: State = { calls: [], strike: undefined, hasStruck: false, isAway: false, links: new Set() }
  const server = createServer((client) => {
    if (state.isAway) client.destroy()
    else openLink(state, client, target)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cutAll = () => {
    for (const each of state.links) each.cut()
  }
  const close = () => {
    cutAll()
    server.close()
  }
  atEnd(close)
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get calls() {
      return state.calls
    },
    get hasStruck() {
      return state.hasStruck
    },
    arm: (strike) => Object.assign(state, { calls: [], strike, hasStruck: false, isAway: false }),
    goAway: () => {
      state.isAway = true
      cutAll()
    },
    close,
  }
}

function openLink(state: State, client: Socket, target: string): void {
  const { hostname, port } = new URL(target)
  const upstream = connect(Number(port), hostname)
  const cut = () => {
    client.destroy()
    upstream.destroy()
    state.links.delete(link)
  }
  const link = { cut }
  state.links.add(link)
  const answers = gate((bytes: Buffer) => void client.write(bytes))
  const calls = gate((call: Call) => {
    upstream.write(call.bytes)
    if (!isStruck(state, call, 'answered')) return
    if (call.hasAnswer) answers.holdNext(holding(answers))
    else holding(calls)()
  })
  const holding =
    (held: Gate<never>): (() => void) =>
    () => {
      held.close()
      state.hasStruck = true
      state.strike?.strike({ cut, passOn: () => held.open() })
    }
  const assemble = callAssembler((call) => {
    state.calls.push(call.what)
    const numbered = { ...call, number: state.calls.length }
    if (isStruck(state, numbered, 'before')) holding(calls)()
    calls.put(numbered)
  })
  client.on('data', assemble)
  upstream.on('data', (chunk) => answers.put(chunk))
  for (const each of [client, upstream]) each.on('error', cut).on('close', cut)
}

function isStruck({ strike, hasStruck }: State, { number, what }: Call, moment: Moment): boolean {
  if (strike?.moment !== moment || hasStruck) return false
  return typeof strike.call === 'number' ? strike.call === number : strike.call.test(what)
}

interface Call {
  readonly number: number
  readonly what: string
  readonly bytes: Buffer
  /** A piece of COPY's data has none. */
  readonly hasAnswer: boolean
}

interface Gate<T> {
  put(each: T): void
  close(): void
  open(): void
  /** Calls back instead of letting the next one through; that one waits at the gate. */
  holdNext(then: () => void): void
}

/** Lets everything through in its order, or keeps it until it is opened. */
function gate<T>(pass: (each: T) => void): Gate<T> {
  const waiting: T[] = []
  let isClosed = false
  let onNext: (() => void) | undefined
  const passNext = () => {
    if (isClosed || waiting.length === 0) return
    for (const each of waiting.splice(0, 1)) pass(each)
    passNext()
  }
  return {
    put: (each) => {
      waiting.push(each)
      onNext?.()
      onNext = undefined
      passNext()
    },
    close: () => {
      isClosed = true
    },
    open: () => {
      isClosed = false
      passNext()
    },
    holdNext: (then) => {
      onNext = then
    },
  }
}

/** The last message of each thing that a client asks for, by PostgreSQL's letters: Query, Sync, CopyData, CopyDone, CopyFail. */
const ENDS = new Set(['Q', 'S', 'd', 'c', 'f'])
const TYPE_BYTES = 1
const LENGTH_BYTES = 4

/** Cuts the stream of a client into calls. The first message has no letter: it opens the connection. */
function callAssembler(onCall: (call: Omit<Call, 'number'>) => void): (chunk: Buffer) => void {
  let [rest, parts, text, isFirst]: [Buffer, Buffer[], string, boolean] = [Buffer.alloc(0), [], '', true]
  const take = (length: number): Buffer => {
    const message = rest.subarray(0, length)
    rest = rest.subarray(length)
    return message
  }
  const finish = (what: string, hasAnswer = true) => {
    onCall({ what, hasAnswer, bytes: Buffer.concat(parts) })
    ;[parts, text] = [[], '']
  }
  const next = (): boolean => {
    const header = isFirst ? 0 : TYPE_BYTES
    if (rest.length < header + LENGTH_BYTES) return false
    const length = header + rest.readInt32BE(header)
    if (rest.length < length) return false
    const message = take(length)
    parts.push(message)
    const letter = isFirst ? 'Q' : message.toString('latin1', 0, TYPE_BYTES)
    text ||= isFirst ? 'connect' : statementIn(letter, message)
    isFirst = false
    if (ENDS.has(letter)) finish(text || letter, letter !== 'd')
    return true
  }
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (next());
  }
}

function statementIn(letter: string, message: Buffer): string {
  if (letter === 'd') return 'copy data'
  if (letter === 'c') return 'copy end'
  if (letter === 'f') return 'copy fail'
  const text = message.toString('utf8', TYPE_BYTES + LENGTH_BYTES).split('\0')
  // A Parse message names its statement first, and pg's have no name.
  const statement = letter === 'Q' ? text[0] : letter === 'P' ? text[1] : ''
  return (statement ?? '').replaceAll(/\s+/g, ' ').trim()
}
