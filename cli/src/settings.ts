// Reads the address of the service and the API key from options and environment variables.
import { readFile, stat } from 'node:fs/promises'
import { type Client, createClient, type ResponseInfo } from 'vis-sdk'
import { getErrorMessage, type OptionValues, UsageError } from './command.ts'
import type { Environment, Terminal } from './render/terminal.ts'

const DEFAULT_URL = 'http://127.0.0.1:3000'
/** Longest time that the sdk waits before a retry. If the service asks for more, the sdk throws instead of retrying. */
const MAX_WAIT_SECONDS = 60
const KEY_ADVICE =
  'Set VIS_API_KEY, or write the key to a file and pass --key-file FILE. Operators of the service issue keys with: vis-server keys issue --account ID.'

export interface Settings {
  readonly url: string
  /** Where the URL was set, for error messages: `--url`, `VIS_URL` or `the default`. */
  readonly urlOrigin: string
}

export function readSettings({ url }: OptionValues, env: Environment): Settings {
  if (typeof url === 'string') return { url, urlOrigin: '--url' }
  return env['VIS_URL'] ? { url: env['VIS_URL'], urlOrigin: 'VIS_URL' } : { url: DEFAULT_URL, urlOrigin: 'the default' }
}

export async function connect(values: OptionValues, env: Environment, terminal: Terminal): Promise<Client> {
  const { url, urlOrigin } = readSettings(values, env)
  const apiKey = await readKey(values['keyFile'], env, terminal)
  if (!apiKey) throw new UsageError('There is no API key.', KEY_ADVICE)
  try {
    return createClient({ url, apiKey, onResponse: (info) => announceRetry(info, terminal) })
  } catch (error) {
    const message = getErrorMessage(error)
    const advice = message.startsWith('url') ? `The url "${url}" comes from ${urlOrigin}.` : KEY_ADVICE
    throw new UsageError(message, advice)
  }
}

/** Prints a note to explain the pause while the sdk waits before a retry. */
function announceRetry({ status, retryAfter = 0 }: ResponseInfo, terminal: Terminal): void {
  if (retryAfter > 0 && retryAfter <= MAX_WAIT_SECONDS && (status === 429 || status === 503)) {
    terminal.printNote(`The service is busy or limits the rate of calls: trying again in ${retryAfter} s.\n`)
  }
}

async function readKey(file: unknown, env: Environment, terminal: Terminal): Promise<string> {
  if (typeof file !== 'string') return (env['VIS_API_KEY'] ?? '').trim()
  try {
    const { mode } = await stat(file)
    const isReadableByOthers = process.platform !== 'win32' && (mode & 0o077) !== 0
    if (isReadableByOthers) terminal.printNote(`warning: other users can read ${file}; run: chmod 600 ${file}\n`)
    return (await readFile(file, 'utf8')).trim()
  } catch {
    throw new UsageError(`The key file ${file} could not be read.`, KEY_ADVICE)
  }
}
