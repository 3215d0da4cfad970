// Recognises version statements that begin with the name of another product: a CNA that can list only one repository
// writes `notebook: >= 7.0.0` among the versions of JupyterLab.

// regex-bound: namesOtherProduct reads at most MAX_STATEMENT_LENGTH (1,024) characters
const TITLED = /^\s*([a-z][\w.-]*(?: [\w.-]+){0,3})\s*:\s*[<>=]/i
/** Release channels, which are titles of the product's own versions. */
const CHANNELS: ReadonlySet<string> = new Set(['stable', 'beta', 'alpha', 'latest', 'tests-passed', 'lts', 'main'])

/** `productName` is the vendor and product. A title that shares a word with it names an edition of the product. */
export function namesOtherProduct(text: string, productName: string): boolean {
  const title = TITLED.exec(text)?.[1]?.toLowerCase()
  if (title === undefined) return false
  const name = productName.toLowerCase()
  const known = new Set([...name.split(/[^a-z\d]+/), ...name.split(/\s+/)])
  return !title.split(' ').some((word) => known.has(word) || CHANNELS.has(word))
}
