// Decides whether descriptions call a version affected, as in `2.4 and prior`, or fixed, as in `2.4 contains a patch`.

const OLDER_TOO = /^\)?,? \(?(?:and|or)(?: all)? (?:prior|below|earlier|before|older|previous|lower)\b/i
const LAST_OF_RANGE =
  /(?:<=|≤|=<|\bthrough|\bup to(?: and including)?|\bversions? [\w.]{1,30} ?[-–]|\d ?[-–]) ?(?:versions? )?v?$/i
/** In `prior to 8.6.0.4-2.2.0.4` and `before "12.06.2018 - 4.1.3"`, both numbers name one fixed version. */
const BEFORE_BOTH =
  /\b(?:before|below|prior to|(?:earlier|lower|less|older) than)(?: [a-z]{1,20}){0,4} ["']?v?\d[\w.]{0,30} ?[-–] ?(?:versions? )?v?$/i
// regex-bound: at most CONTEXT_LENGTH (160) characters come before the version
const LIST = /(?:\bv?\d[\w.]{0,30}(?:,? and |,? or |, ))+v?$/i
const LIST_TITLE = /\bversions? ?v?$/i
/** Something changed in the version, which may be the fix: `the behaviour was altered in version 2.4`. */
const CHANGED_IN = /\bin (?:the )?versions? ?v?$/i
/** Words in the clause before a version or a list of versions that call them fixed. */
const FIX_BEFORE = /\b(?:before|prior|earlier|than|to|since|starting)\b|\breleas/i
/** Words anywhere in the sentence that may call one of its versions fixed: `versions 2.11.6 and 2.4 patch the issue`. */
const FIX_IN_SENTENCE =
  /\b(?:fix|patch|resol[uv]|upgrad|updat(?:e|es|ed|ing) to|address(?:ed|es)\b|remed|mitigat|correct(?:ed|s)\b|workaround|backport|cherry-?pick|(?:contains?|includes?) (?:an? |the )?(?:fix|patch))/i
const CONTEXT_LENGTH = 160

/**
 * True for `2.4 and prior` or `<= 2.4` if no sentence about the version may call it fixed. A list such as `versions 2.3,
 * 2.4` counts only if structured data lists the version as affected. The texts are in lower case.
 */
export function isNamedAsAffected(texts: readonly string[], version: string, isListed: boolean): boolean {
  const found = new Set(texts.flatMap((text) => listPlaces(text, version)).map(classifyPlace))
  return !found.has('fixed') && (found.has('last') || (isListed && found.has('listed')))
}

interface Place {
  readonly before: string
  readonly after: string
}

function listPlaces(text: string, version: string): readonly Place[] {
  const places: Place[] = []
  for (let at = text.indexOf(version); at >= 0; at = text.indexOf(version, at + 1)) {
    const end = at + version.length
    const place = {
      before: text.slice(Math.max(0, at - CONTEXT_LENGTH), at),
      after: text.slice(end, end + CONTEXT_LENGTH),
    }
    if (isWholeVersion(place)) places.push(place)
  }
  return places
}

/** False for 2.4 in 12.4 or 2.4.1. */
function isWholeVersion({ before, after }: Place): boolean {
  return !/[\w.]$/.test(before.replace(/\bv$/, '')) && !/^(?:[\w-]|\.\w)/.test(after)
}

const END_OF_SENTENCE = /[.;!?]\s|\n/

function isAboutFix({ before, after }: Place): boolean {
  const sentence = `${before.split(END_OF_SENTENCE).at(-1)} ${after.split(END_OF_SENTENCE)[0]}`
  return FIX_IN_SENTENCE.test(sentence)
}

function readLastClause(text: string): string {
  return text.split(/[,;.]/).at(-1) ?? ''
}

/** `last`: the last affected version. `listed`: one of several versions, probably affected ones. */
function classifyPlace(place: Place): 'last' | 'listed' | 'fixed' | undefined {
  if (isAboutFix(place)) return 'fixed'
  const { before, after } = place
  if (OLDER_TOO.test(after)) return 'last'
  if (LAST_OF_RANGE.test(before)) return BEFORE_BOTH.test(before) ? 'fixed' : 'last'
  const title = before.replace(LIST, '')
  if (FIX_BEFORE.test(readLastClause(title.replace(LIST_TITLE, ''))) || CHANGED_IN.test(title)) return 'fixed'
  return LIST_TITLE.test(title) ? 'listed' : undefined
}
