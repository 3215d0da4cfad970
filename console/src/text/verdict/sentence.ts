// The verdict on a CVE in sentences that a person can paste: who exploits it, what an attacker needs, what to do.
// The text says only what the facts state, and names what is unknown.
import { PRIORITY_WORDS } from 'vis-sdk/vocabulary'
import { formatDate } from '../date-words.ts'
import { formatNumber } from '../format.ts'
import { joinWords } from '../join-words.ts'
import type { AttackFact, FixFact, VerdictFacts } from './facts.ts'

/** Writes the verdict as plain text. */
export function writeVerdict(facts: VerdictFacts): string {
  if (facts.rejectedBy !== undefined) return writeRejection(facts.rejectedBy)
  const sentences = [
    facts.isDisputed && 'It is disputed whether this is a vulnerability.',
    facts.unrated ? writeUnrated(facts.unrated) : writeExploitation(facts),
    writeAttack(facts),
    facts.isHosted && 'It affects a hosted service only.',
    facts.isUnsupported && 'The product was no longer supported when the id was assigned.',
    writeFix(facts.fix),
  ]
  return sentences.filter((each) => typeof each === 'string' && each !== '').join(' ')
}

function writeRejection(by: string): string {
  return `This id was rejected${by === '' ? '' : ` by ${by}`} and does not stand for a vulnerability. Do not use it.`
}

const AWAITED_WORDS: Readonly<Record<string, string>> = {
  cvss: 'a CVSS score',
  epss: 'an EPSS score',
  ssvc: 'an SSVC assessment',
}

function writeUnrated({ awaiting, since }: NonNullable<VerdictFacts['unrated']>): string {
  const awaited = awaiting.map((each) => AWAITED_WORDS[each] ?? each)
  const what = awaited.length === 0 ? '' : `, waiting for ${joinWords(awaited, 'or')}`
  return `Not assessed yet${what}${since === undefined ? '' : ` since ${formatDate(since)}`}.`
}

function writeExploitation({ exploitation, removedFromKev }: VerdictFacts): string {
  const removed =
    removedFromKev === undefined
      ? ''
      : ` CISA removed it from its catalog of exploited CVEs on ${formatDate(removedFromKev)}.`
  switch (exploitation.kind) {
    case 'listed':
      return `Attackers exploit it (${joinCatalogs(exploitation)}).${removed}`
    case 'reported':
      return `Attacks are reported${exploitation.by.length > 0 ? ` by ${joinWords(exploitation.by)}` : ''}.${removed}`
    case 'exploit':
      return `No loaded source reports attacks, but ${writeExploit(exploitation)}.${removed}`
    case 'none':
      return `No loaded source reports attacks or an exploit.${removed}`
    case 'unknown':
      return `It is not known whether attackers exploit it.${removed}`
  }
}

type Listed = Extract<VerdictFacts['exploitation'], { readonly kind: 'listed' }>
type Exploit = Extract<VerdictFacts['exploitation'], { readonly kind: 'exploit' }>

/** The EU catalog is named only where CISA's does not have the CVE: one source is enough for the sentence. */
function joinCatalogs({ cisa, eu, hasRansomware }: Listed): string {
  const listed = cisa === undefined ? `EU KEV, report of ${formatDate(eu ?? '')}` : `CISA since ${formatDate(cisa)}`
  return hasRansomware ? `${listed}, ransomware` : listed
}

function writeExploit({ maturity, by, isUnchecked }: Exploit): string {
  const names = by.length === 0 ? '' : ` (${by.join(', ')})`
  if (maturity === 'weaponized') return `ready-made attack code is public${names}`
  if (maturity === 'functional') return `exploit code is public${names}`
  return isUnchecked
    ? `code that nobody has checked claims to exploit it${names}`
    : `a proof of concept is public${names}`
}

const PLACES: Readonly<Partial<Record<AttackFact['place'], string>>> = {
  adjacent: 'access to a neighbouring network',
  local: 'local access',
  physical: 'physical access',
}

const LOGINS: Readonly<Record<Exclude<AttackFact['login'], 'none'>, string>> = {
  ordinary: 'an ordinary login',
  administrator: 'an administrator login',
  several: 'several logins',
}

function writeAttack({ attack, hasTotalImpact }: VerdictFacts): string {
  if (attack === undefined) return 'What an attacker needs is not known.'
  const others = [PLACES[attack.place], attack.needsUser ? 'the help of a user' : undefined].filter(
    (each) => each !== undefined,
  )
  const needs =
    attack.login === 'none'
      ? `No login needed${others.length > 0 ? `, but ${joinWords(others)}` : ''}`
      : `Needs ${joinWords([LOGINS[attack.login], ...others])}`
  return `${needs}${hasTotalImpact ? ', ' : '; '}${describeImpact(attack, hasTotalImpact)}.`
}

/** Full control is what SSVC calls a total impact. High CVSS impacts alone are named as what they are. */
function describeImpact({ high, limited }: AttackFact, hasTotalImpact: boolean): string {
  if (hasTotalImpact) return 'full control'
  if (high.length > 0) return `high impact on ${joinWords(high)}`
  return limited.length > 0 ? `limited impact on ${joinWords(limited)}` : 'no impact on the vulnerable system is stated'
}

/** More versions and products make the sentence useless as an instruction; the page lists all of them. */
const MAX_VERSIONS = 4
const MAX_PRODUCTS = 2

function writeFix(fix: FixFact): string {
  const [first, ...others] = fix.groups
  if (first !== undefined) return writeUpgrade([first, ...others], fix)
  return describeMissingFix(fix)
}

/** Says what is known about fixes if no undisputed fixed version of the product is. */
export function describeMissingFix(fix: FixFact): string {
  if (fix.doubted.length > 0)
    return `A source names ${joinWords(fix.doubted.slice(0, MAX_VERSIONS))} as fixed, but other sources contradict.`
  return [writeMissingFix(fix), writeAdvice(fix.advice)].filter((each) => each !== '').join(' ')
}

/** A fixed version need not be safe: the record does not say which other CVEs affect it. */
export const OTHERS_NOT_CONSIDERED = 'Other CVEs are not considered here; check the version for them.'

function writeUpgrade(groups: FixFact['groups'], { isIncomplete, isOtherProduct }: FixFact): string {
  const named = groups.slice(0, MAX_PRODUCTS)
  const rest = groups.length - named.length
  // Which of several products a person uses is not known, so these are no instruction.
  if (isOtherProduct) {
    const others = rest > 0 ? [`${isIncomplete ? 'more than ' : ''}${count(rest, 'other product')}`] : []
    const names = named.map(({ name, versions }) => `${name} (${listVersions(versions)})`)
    return `Fixed versions are named for ${joinWords([...names, ...others])}.`
  }
  const targets = named.map(({ name, versions }) => `${name === '' ? '' : `${name} `}to ${listVersions(versions)}`)
  const more =
    rest > 0
      ? ` Fixed versions of ${isIncomplete ? 'more than ' : ''}${count(rest, 'other product')} are named too.`
      : ''
  const derived = named.every(({ isDerived }) => isDerived) ? ' (read from a text)' : ''
  return `Upgrade ${joinTargets(targets)}${derived}.${more} ${OTHERS_NOT_CONSIDERED}`
}

function joinTargets(targets: readonly string[]): string {
  return targets.length > 1 ? targets.join('; and ') : targets.join('')
}

/** The newest branches are named if there are many. */
function listVersions(versions: readonly string[]): string {
  const newest = versions.slice(-MAX_VERSIONS)
  const rest = versions.length - newest.length
  return rest === 0
    ? joinWords(newest, 'or')
    : `${newest.join(', ')} or, on older branches, one of ${formatNumber(rest)} more`
}

function writeMissingFix({ downstreamCount, hasCommit, isIncomplete, isPatchNamed }: FixFact): string {
  if (hasCommit) return 'A commit fixes it; no loaded source names a fixed version.'
  if (downstreamCount > 0)
    return `Fixed versions are named for ${isIncomplete ? 'more than ' : ''}${count(downstreamCount, 'package')} that may contain it, but not for the product itself.`
  return isPatchNamed
    ? 'Advisory only: a source says that a fix exists, but names no version.'
    : 'No loaded source names a fix.'
}

function writeAdvice({ none_planned, none_available, workaround, mitigation }: FixFact['advice']): string {
  if (none_planned !== undefined) return `${none_planned} plans no fix for some products.`
  if (workaround !== undefined) return `${workaround} describes a workaround.`
  if (mitigation !== undefined) return `${mitigation} describes a mitigation.`
  return none_available === undefined ? '' : `${none_available} says that there is none yet.`
}

function count(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** The text that is copied: level, product and verdict, the day on which they hold, id and address. */
export function writeCopiedVerdict(
  facts: VerdictFacts,
  { address, day }: { readonly address: string; readonly day: string },
) {
  const { level, product, rejectedBy } = facts
  const parts = [
    level && `${level}, ${PRIORITY_WORDS[level]}.`,
    rejectedBy === undefined && product !== undefined && `${product}:`,
    writeVerdict(facts),
    `As of ${formatDate(day)}.`,
  ]
  return `${parts.filter(Boolean).join(' ')}\n${facts.id} ${address}`
}
