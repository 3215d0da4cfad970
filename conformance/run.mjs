#!/usr/bin/env node
// The command line of the conformance suite. README.md describes the options.

import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { countResults, printReport } from './lib/report.mjs'
import { runSuite, selectChecks } from './lib/suite.mjs'

const USAGE =
  'usage: node conformance/run.mjs --url http://127.0.0.1:3000 --keys keys.json ' +
  '[--only <regex>] [--json report.json] [--clock-offset <time>] [--list]'

/** parseArgs mistakes "-3600" for an option and requires "--clock-offset=-3600". */
function joinClockOffset(args) {
  const index = args.indexOf('--clock-offset')
  return index === -1 ? args : args.toSpliced(index, 2, `--clock-offset=${args[index + 1] ?? ''}`)
}

function readArguments() {
  const { values } = parseArgs({
    args: joinClockOffset(process.argv.slice(2)),
    options: {
      url: { type: 'string' },
      keys: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
      'clock-offset': { type: 'string', default: '0' },
      list: { type: 'boolean', default: false },
    },
  })
  if (!values.list && (!values.url || !values.keys)) throw new Error(USAGE)
  return { ...values, clockOffsetMs: parseOffset(values['clock-offset']) }
}

function parseOffset(text) {
  const [, seconds, unit] = /^(-?\d{1,10})([sd]?)$/.exec(text) ?? []
  if (seconds === undefined)
    throw new Error(`--clock-offset takes seconds or days, such as 90, -3600 or -30d; not "${text}".\n${USAGE}`)
  return Number(seconds) * (unit === 'd' ? 86_400_000 : 1000)
}

function list(checks) {
  for (const { section, name } of checks) console.log(`${section}: ${name}`)
  console.log(`${checks.length} checks`)
}

/** Shows the name of the running check if standard error is a terminal. A log file contains only the report. */
function showProgress(total) {
  const isTerminal = process.stderr.isTTY
  return ({ section, name }, results) => {
    if (isTerminal) process.stderr.write(`\r\x1b[K${results.length}/${total} ${section}: ${name.slice(0, 90)}`)
    if (isTerminal && results.length === total) process.stderr.write('\r\x1b[K')
  }
}

async function main() {
  const { url, only, clockOffsetMs, ...options } = readArguments()
  const checks = selectChecks(only)
  if (options.list) {
    list(checks)
    return
  }
  const keys = JSON.parse(readFileSync(options.keys, 'utf8'))
  const { results, calls } = await runSuite({
    url,
    keys,
    checks,
    clockOffsetMs,
    onResult: showProgress(checks.length),
  })
  const counts = countResults(results)
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ url, ...counts, calls, results }, null, 2)}\n`)
  console.log(`${calls} calls`)
  printReport(results)
  process.exitCode = counts.failed > 0 ? 1 : 0
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
