// node tools/with-node.ts <version> <command…>: installs this version of Node from npm into a temporary folder and runs
// the command with TEST_NODE set to its path. The command itself runs with the repository's Node.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [version, command, ...args] = process.argv.slice(2)
if (!version || !command) throw new Error('usage: node tools/with-node.ts <version> <command…>')

// The package "node" installs one of these packages, each of which contains the program for one platform.
const name = `node-${process.platform}-${process.arch}`
const folder = mkdtempSync(join(tmpdir(), 'vis-node-'))
try {
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
  const env = { ...process.env, TEST_NODE: join(folder, 'node_modules', name, 'bin/node') }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
