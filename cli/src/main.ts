// `vis`, for callers: built on the sdk alone. One command for now; the rest follows the endpoints.
import { createClient } from '@vis/sdk'

const HELP = `usage: vis ping

Asks the service at VIS_URL (default http://127.0.0.1:3000) whether it is there and VIS_API_KEY is good.
`

/** Returns the exit code. */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  if (argv.length !== 1 || argv[0] !== 'ping') {
    process.stdout.write(HELP)
    return argv.length === 0 || argv[0] === '--help' ? 0 : 2
  }
  const apiKey = env['VIS_API_KEY']
  if (!apiKey) {
    process.stderr.write('Set VIS_API_KEY to your API key first.\n')
    return 2
  }
  try {
    const { status, timestamp } = await createClient({
      url: env['VIS_URL'] ?? 'http://127.0.0.1:3000',
      apiKey,
    }).pingLite()
    process.stdout.write(`${status} at ${timestamp}\n`)
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
