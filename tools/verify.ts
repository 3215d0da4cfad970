// Everything CI runs, in the order in which a fault is cheapest to find. "npm run verify" is CI.
import { spawnSync } from 'node:child_process'

const STEPS = [
  ['static checks', 'node tools/check.ts'],
  ['build', 'npm run build'],
  ['the SBOM', 'node tools/make-sbom.ts'],
  ['tests on the PostgreSQL of this machine', 'vitest run --project service'],
  [
    'SQL on PostgreSQL 18',
    'node tools/with-postgres-18.ts vitest run --project service service/test/database service/test/spec',
  ],
  ['the quickstart of README.md', 'node tools/check-readme.ts'],
  ['the benchmark, quickly', 'node service/test/bench/run.ts --quick'],
] as const

const started = performance.now()
for (const [name, command] of STEPS) {
  const begun = performance.now()
  process.stdout.write(`\n=== ${name}: ${command}\n`)
  const [program = '', ...args] = command.split(' ')
  const { status } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) {
    process.stderr.write(`\nverify failed at: ${name}. To run it alone: npx ${command}\n`)
    process.exit(1)
  }
  process.stdout.write(`=== ${name}: ${seconds(begun)} s\n`)
}
process.stdout.write(`\nverified in ${seconds(started)} s\n`)

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
