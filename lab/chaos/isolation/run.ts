// Runs one attack of the isolation measurements and prints its table, for tuning. Examples:
//   node lab/chaos/isolation/run.ts --attack search --seconds 15 --url postgres://…/catalog
//   node lab/chaos/isolation/run.ts --attack batch --copy whole_catalog --set DATABASE_POOL_SIZE=20
// --url      uses an existing database: applies missing migrations and adds accounts to it
// --copy     uses a copy of this database of the server TEST_DATABASE_URL, and drops the copy at the end
// --attack   a name of attacks.ts, or several of them separated by commas
// --seconds  duration of the attack and of the baseline (default 20); the attack burst needs 180
// --baseline duration of the baseline, if it differs
// --concurrency concurrent calls of each attacking account
// --set      a setting of the node, NAME=value; may be repeated
// --checkout starts vis-server from the sources of another checkout
// --patient  the attacker waits as long as Retry-After says
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildDatabaseUrl, runStatements } from '../../../service/test/support/run-statements.ts'
import { ATTACK_NAMES, ATTACKS, type AttackName } from './attacks.ts'
import { measureIsolation } from './measure.ts'
import { formatReport } from './report.ts'

const SERVER_URL = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    copy: { type: 'string' },
    attack: { type: 'string', default: 'search' },
    seconds: { type: 'string', default: '20' },
    baseline: { type: 'string' },
    concurrency: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    checkout: { type: 'string' },
    patient: { type: 'boolean', default: false },
  },
})

const isAttack = (name: string): name is AttackName => name in ATTACKS
const names = values.attack.split(',')
const attacks = names.filter(isAttack)
if (attacks.length < names.length || (values.url === undefined) === (values.copy === undefined)) {
  process.stderr.write(`Use --attack with any of ${ATTACK_NAMES.join(', ')}, and either --url or --copy.\n`)
  process.exit(2)
}
const copyName = `vis_isolation_${process.pid}`
if (values.copy !== undefined) await runStatements(SERVER_URL, `create database ${copyName} template ${values.copy}`)
try {
  for (const name of attacks) process.stdout.write(formatReport(name, await run(name)))
} finally {
  if (values.copy !== undefined) await runStatements(SERVER_URL, `drop database if exists ${copyName} with (force)`)
}

function run(name: AttackName) {
  const seconds = Number(values.seconds)
  return measureIsolation({
    databaseUrl: values.url ?? buildDatabaseUrl(SERVER_URL, copyName),
    redisUrl: REDIS_URL,
    attack: name,
    ...(values.concurrency === undefined ? {} : { concurrency: Number(values.concurrency) }),
    warmUpMs: 3000,
    baselineMs: Number(values.baseline ?? seconds) * 1000,
    attackMs: seconds * 1000,
    recoveryMs: 5000,
    honoursRetryAfter: values.patient,
    settings: Object.fromEntries(values.set.map((each) => each.split(/=(.*)/s).slice(0, 2))),
    ...(values.checkout === undefined
      ? {}
      : { server: pathToFileURL(resolve(values.checkout, 'service/bin/vis-server.js')) }),
  })
}
