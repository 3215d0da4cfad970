// Defines and runs checks. A check passes when it returns, is skipped when it throws Skip, and fails when it throws any
// other error.

export class Skip extends Error {}

export function skip(reason) {
  throw new Skip(reason)
}

/**
 * Returns the checks of one section:
 *
 *   section('Search', (check) => {
 *     check('D6 filters combine with AND', async ({ api, discovery }) => { … })
 *     check('A4 usage names the plan free', { needs: ['free'] }, async ({ api }) => { … })
 *   })
 *
 * `needs` lists API keys by their names in keys.json; the check is skipped if one is missing. The default is "pro".
 */
export function section(title, define) {
  const checks = []
  define((name, ...rest) => {
    const run = rest.pop()
    const { needs = ['pro'] } = rest[0] ?? {}
    checks.push({ section: title, name, needs, run })
  })
  return checks
}

/** Throws if two checks have the same name, because a report identifies a check by its name alone. */
export function assertUniqueNames(checks) {
  const seen = new Set()
  for (const { name } of checks) {
    if (seen.has(name)) throw new Error(`Two checks have the name "${name}". Give one of them another name.`)
    seen.add(name)
  }
}

async function runCheck(check, context) {
  const started = performance.now()
  const finish = (status, reason, trace) => ({
    section: check.section,
    name: check.name,
    status,
    reason,
    trace,
    ms: Math.round(performance.now() - started),
  })
  const missing = check.needs.filter((name) => !context.api.keys[name])
  if (missing.length > 0) return finish('skipped', `keys.json has no ${missing.map((key) => `"${key}"`).join(', ')}`)
  context.api.trace.length = 0
  try {
    await check.run(context)
    return finish('passed')
  } catch (error) {
    if (error instanceof Skip) return finish('skipped', error.message)
    return finish('failed', error.message || String(error), context.api.trace.slice(-4))
  }
}

/** Runs one check at a time, because several checks read an account's used credits before and after a call. */
export async function runChecks(checks, context, onResult) {
  const results = []
  for (const check of checks) {
    const result = await runCheck(check, context)
    results.push(result)
    onResult(result, results)
  }
  return results
}
