// Prometheus's own judge of rules, from Debian's package prometheus.
import { spawnSync } from 'node:child_process'

/** Why rules cannot be judged here; undefined when they can. */
export const whyNoPromtool: string | undefined =
  spawnSync('promtool', ['--version']).status === 0
    ? undefined
    : "promtool is not in the PATH: it is in Debian's package prometheus, and .ci/run brings it"

/** What it has to say, when it is not content. */
export function promtool(...args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return status === 0 ? undefined : `${stdout}${stderr}`
}
