// Extracts the commands and programs in the guide from the served pages and runs them, as a reader would.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { unescapeHtml } from '../../../src/documentation/html.ts'
import type { Api } from '../../support/api.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { NODE_ENVIRONMENT } from '../../support/processes/node-environment.ts'

const { NODE_COMPILE_CACHE } = NODE_ENVIRONMENT
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export interface Figure {
  /** Type of block: `commands`, `settings`, `program`, `python` or `answer`. */
  readonly kind: string
  readonly text: string
}

export async function readFigures(api: Api, path: string): Promise<Figure[]> {
  const { text } = await api.get(path, { key: null })
  return Array.from(
    text.matchAll(/<figure class="(\w+)">.*?<code[^>]*>(.*?)<\/code>/gs),
    ([, kind = '', code = '']) => ({
      kind,
      // The tags only add color to the code.
      text: unescapeHtml(code.replaceAll(/<[^>]*>/g, '')),
    }),
  )
}

/** Creates a folder in which the programs of the guide can import vis-sdk. */
export async function createReaderFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-guide-'))
  cleanUpAfterTests(() => rm(folder, { recursive: true }))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** The file for each type of program, and the command that runs it. All other code blocks are shell commands. */
const PROGRAMS: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['program', ['program.ts', 'node --conditions=source program.ts']],
  ['python', ['program.py', 'python3 program.py']],
])

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a block in a shell without any options, because readers paste the commands into their own shell. */
export async function runFigure(
  { kind, text }: Figure,
  folder: string,
  settings: { readonly VIS_URL: string; readonly VIS_API_KEY: string },
): Promise<Outcome> {
  const [file, command] = PROGRAMS.get(kind) ?? []
  if (file !== undefined) await writeFile(join(folder, file), text)
  const child = spawn('bash', ['-c', command ?? text], {
    cwd: folder,
    // The processes share compiled code: otherwise each program would load the TypeScript compiler, which takes 0.2 s.
    env: {
      NODE_COMPILE_CACHE,
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 200_000,
  })
  const ended = new Promise<number>((resolve) => {
    child.once('close', (status) => resolve(status ?? -1))
  })
  const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)])
  return { code: await ended, stdout, stderr }
}
