// Runs the program vis-server in a separate process and in an empty folder, as an operator would.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ENVIRONMENT } from './node-environment.ts'

const VIS_SERVER = fileURLToPath(new URL('../../../bin/vis-server.js', import.meta.url))

export interface CommandOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function spawnCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  program = VIS_SERVER,
): Promise<CommandOutcome> {
  // The working folder is empty, so that the command does not read a developer's .env file.
  const folder = await mkdtemp(join(tmpdir(), 'vis-command-'))
  try {
    return await new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...NODE_ENVIRONMENT, ...environment },
        timeout: 100_000,
      }
      execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
