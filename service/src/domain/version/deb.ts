// Debian packages, `[epoch:]upstream[-revision]`. Epochs are compared as numbers, then upstream versions and revisions
// part by part: alternately a text without digits and a number. In a text, `~` sorts before the end, and letters sort
// before other characters. The reference is `dpkg --compare-versions`.
import { compareDigits, compareLists, defineScheme } from './scheme.ts'

interface DebVersion {
  readonly epoch: string
  readonly upstream: readonly string[]
  readonly revision: readonly string[]
}

/** Only a version with an epoch may contain more colons. */
const FORM = /^(?:(\d{1,10}):(\d[\dA-Za-z.+~:-]*)|(\d[\dA-Za-z.+~-]*))$/
/** dpkg reads the epoch as a signed 32-bit number. */
const MAX_EPOCH = 2 ** 31 - 1

export const deb = defineScheme<DebVersion>(
  parseDeb,
  (a, b) =>
    compareDigits(a.epoch, b.epoch) || compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision),
  () => true,
)

function parseDeb(version: string): DebVersion | undefined {
  const [, epoch = '0', afterEpoch, whole] = FORM.exec(version) ?? []
  const rest = afterEpoch ?? whole
  if (rest === undefined || Number(epoch) > MAX_EPOCH) return undefined
  const hyphen = rest.lastIndexOf('-')
  const upstream = hyphen === -1 ? rest : rest.slice(0, hyphen)
  const revision = hyphen === -1 ? '0' : rest.slice(hyphen + 1)
  if (revision === '' || revision.includes(':')) return undefined
  return { epoch, upstream: splitParts(upstream), revision: splitParts(revision) }
}

/** Splits into alternating texts and numbers, starting with a text, which may be empty. */
function splitParts(text: string): string[] {
  return text.split(/(\d+)/)
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x, y] = [a[index] ?? '', b[index] ?? '']
    const order = index % 2 === 0 ? compareLists(x.split(''), y.split(''), compareCharacters) : compareDigits(x, y)
    if (order !== 0) return order
  }
  return 0
}

function compareCharacters(a: string | undefined, b: string | undefined): number {
  return rankCharacter(a) - rankCharacter(b)
}

/** Undefined stands for the end of the text. */
function rankCharacter(character: string | undefined): number {
  if (character === '~') return -1
  if (character === undefined) return 0
  return character.charCodeAt(0) + (/[A-Za-z]/.test(character) ? 0 : 256)
}
