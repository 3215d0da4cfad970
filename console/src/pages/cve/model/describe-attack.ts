// Describes in two sentences what an attacker needs and what impact the attack has.
import type { CvssMetric, CvssVector } from '../../../text/verdict/cvss-vector.ts'

const PLACES: Readonly<Record<string, string>> = {
  Network: 'over the network',
  'Adjacent network': 'from a neighbouring network',
  Local: 'with local access',
  Physical: 'with physical access',
}

const PRIVILEGES: Readonly<Record<string, string>> = {
  None: 'without an account',
  Low: 'with an ordinary account',
  High: 'with an administrator account',
  Single: 'after one login',
  Multiple: 'after several logins',
}

const INTERACTION: Readonly<Record<string, string>> = {
  None: 'without user interaction',
  Required: 'with the help of a user',
  Passive: 'while a user works normally',
  Active: 'with the active help of a user',
}

export function describeAttack({ metrics }: CvssVector): string {
  const find = (...codes: string[]) => metrics.find(({ code }) => codes.includes(code))?.value ?? ''
  const conditions = [PLACES[find('AV')], PRIVILEGES[find('PR', 'Au')], INTERACTION[find('UI')]]
  const stated = conditions.filter((each) => each !== undefined)
  const limits = [
    ...(find('AC') === 'High' ? ['The attack depends on conditions that the attacker cannot control.'] : []),
    ...(find('AT') === 'Present' ? ['The attack works only in certain deployments.'] : []),
  ]
  return [`An attacker can exploit it ${joinWords(stated)}.`, ...limits, describeImpact(metrics)].join(' ')
}

function describeImpact(metrics: readonly CvssMetric[]): string {
  const own = metrics.filter(({ code, group }) => group === 'impact' && !code.startsWith('S'))
  const full = own.filter(({ filled, segments }) => filled === segments)
  const some = own.filter(({ filled, segments }) => filled > 0 && filled < segments)
  const spread = metrics.some(
    ({ code, value, filled }) => (code === 'S' && value === 'Changed') || (/^S[CIA]$/.test(code) && filled > 0),
  )
  const parts = [
    ...(full.length > 0 ? [`high impact on ${joinWords(full.map(toAspect))}`] : []),
    ...(some.length > 0 ? [`limited impact on ${joinWords(some.map(toAspect))}`] : []),
  ]
  const sentence = parts.length === 0 ? 'no impact on the vulnerable system' : joinWords(parts)
  const beyond = spread ? ', and other systems are affected as well' : ''
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${beyond}.`
}

function toAspect({ name }: CvssMetric): string {
  return (name.split(',')[0] ?? name).toLowerCase()
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
