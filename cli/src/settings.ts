// Which service, and with which key.
import { readFile, stat } from 'node:fs/promises'
import { type Client, createClient, type ResponseInfo } from '@vis/sdk'
import { type FlagValues, UsageError } from './command.ts'
import type { Terminal } from './terminal.ts'

type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_URL = 'http://127.0.0.1:3000'
/** The sdk gives up at once where it would have to wait longer. */
const MAX_WAIT_SECONDS = 60
const HOW_TO_GIVE_A_KEY =
  'Set VIS_API_KEY, or write the key into a file and name it with --key-file. Whoever runs the service issues keys: vis-server keys issue --account ID.'

export interface Settings {
  readonly url: string
  /** Where the address comes from, for when it is wrong. */
  readonly urlFrom: string
}

export function settingsOf(values: FlagValues, env: Environment): Settings {
  const { url } = values
  if (typeof url === 'string') return { url, urlFrom: '--url' }
  return env['VIS_URL'] ? { url: env['VIS_URL'], urlFrom: 'VIS_URL' } : { url: DEFAULT_URL, urlFrom: 'the default' }
}

export async function clientFor(values: FlagValues, env: Environment, terminal: Terminal): Promise<Client> {
  const { url, urlFrom } = settingsOf(values, env)
  const apiKey = await keyFrom(values['key_file'], env, terminal)
  if (!apiKey) throw new UsageError('There is no API key.', HOW_TO_GIVE_A_KEY)
  try {
    return createClient({ url, apiKey, onResponse: (info) => sayIfBusy(info, terminal) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new UsageError(
      message,
      message.startsWith('url') ? `It is "${url}" now, says ${urlFrom}.` : HOW_TO_GIVE_A_KEY,
    )
  }
}

/** The sdk waits and tries again; whoever sits before the screen should know for what. */
function sayIfBusy({ status, retryAfter = 0 }: ResponseInfo, terminal: Terminal): void {
  if (retryAfter > 0 && retryAfter <= MAX_WAIT_SECONDS && (status === 429 || status === 503)) {
    terminal.remark(`The service is busy or wants a pause: trying again in ${retryAfter} s.\n`)
  }
}

async function keyFrom(file: FlagValues[string], env: Environment, terminal: Terminal): Promise<string> {
  if (typeof file !== 'string') return (env['VIS_API_KEY'] ?? '').trim()
  try {
    const { mode } = await stat(file)
    const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0
    if (isOpen) terminal.remark(`warning: others on this machine can read ${file}; chmod 600 prevents that\n`)
    return (await readFile(file, 'utf8')).trim()
  } catch {
    throw new UsageError(`The file ${file} could not be read.`, HOW_TO_GIVE_A_KEY)
  }
}
