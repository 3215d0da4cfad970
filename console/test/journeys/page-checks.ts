// Checks that every page of the console must pass: accessibility rules, and reach by keyboard alone. And a count of clicks,
// which limits how long a task may take.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/** Rules of axe whose result depends on the colors. They take three quarters of the time of all rules. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * Selects the elements for the rules of colors: visible ones with text of their own. The colors come from the classes, so
 * of elements whose classes are equal, as are those of all elements around them, one is checked in light and one in dark,
 * on whatever page it occurs. Elements around text are left out, because axe checks everything inside of a given element.
 * The result has the elements, and a number for each that stands for its classes.
 */
const LIST_DISTINCT = `((selector, checked) => {
  const chains = new Map()
  const toChain = (each) => {
    if (!each) return matchMedia('(prefers-color-scheme: dark)').matches ? 1 : 2
    const known = chains.get(each)
    if (known !== undefined) return known
    const state = [each.getAttribute('aria-current'), each.getAttribute('aria-selected'), each.disabled].join()
    let chain = toChain(each.parentElement)
    for (const letter of each.tagName + '.' + (each.getAttribute('class') ?? '') + state)
      chain = (Math.imul(chain, 16777619) ^ letter.codePointAt(0)) >>> 0
    chains.set(each, chain)
    return chain
  }
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''
  const hasText = (each) => each.matches('input, select, textarea') || [...each.childNodes].some(isText)
  const found = new Map()
  for (const each of document.querySelectorAll(selector))
    if (hasText(each) && each.checkVisibility({ visibilityProperty: true }) && !found.has(toChain(each)))
      found.set(toChain(each), each)
  for (const chain of checked) found.delete(chain)
  return { elements: [...found.values()], chains: [...found.keys()] }
})`

/** Runs axe with all rules and returns its serious and critical findings, one for each element. */
export async function findAccessibilityProblems(page: Page): Promise<readonly string[]> {
  return [...(await findStructureProblems(page)), ...(await findColorProblems(page))]
}

/** Runs the rules of axe whose result does not depend on the colors. */
export async function findStructureProblems(page: Page): Promise<readonly string[]> {
  const rules = Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }]))
  return listProblems(await runAxe<AxeResult>(page, `axe.run(document, ${toOptions({ rules })})`))
}

/** Numbers of the classes whose colors have been checked. */
const checkedChains = new Set<number>()

/** Runs the rules of axe whose result depends on the colors, on the page or on the parts that a selector names. */
export async function findColorProblems(page: Page, selector = 'body'): Promise<readonly string[]> {
  const { chains, ...result } = await runAxe<AxeResult & { readonly chains: readonly number[] }>(
    page,
    `(async () => {
      const { elements, chains } = ${LIST_DISTINCT}(${JSON.stringify(`${selector} *`)}, ${JSON.stringify([...checkedChains])})
      if (elements.length === 0) return { violations: [], chains }
      return { ...(await axe.run({ include: elements }, ${toOptions({ runOnly: COLOR_RULES })})), chains }
    })()`,
  )
  for (const chain of chains) checkedChains.add(chain)
  return listProblems(result)
}

function toOptions(options: object): string {
  return JSON.stringify({ resultTypes: ['violations'], ...options })
}

async function runAxe<Result>(page: Page, expression: string): Promise<Result> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  return page.evaluate<Result>(expression)
}

function listProblems({ violations }: AxeResult): readonly string[] {
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${impact} ${id}: ${target.join(' ')} ${failureSummary}`),
    )
}

/** Returns whether the page is wider than the window, so that it scrolls sideways. */
export function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
}

/** Selects the controls that Tab must reach. Tab reaches one radio button of a group, so radio buttons are left out. */
const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled, [type=radio]), select, textarea, summary, [tabindex="0"]'

/** Presses of Tab that are sent without waiting for the one before. The page handles them in order. */
const PRESSES_AT_ONCE = 20

/** Presses Tab through the page and returns the visible controls that never get the focus. */
export async function findUnreachableControls(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate<number>(`(() => {
    const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.tabIndex >= 0
    const controls = [...document.querySelectorAll(${JSON.stringify(CONTROLS)})].filter(isShown)
    for (const each of controls) each.dataset.unreached = ''
    document.addEventListener('focusin', ({ target }) => delete target.dataset.unreached)
    document.activeElement?.blur()
    return controls.length
  })()`)
  // A field for a date has several stops, and a long list adds rows while the focus moves through it.
  for (let presses = 0; presses < 3 * count; presses += PRESSES_AT_ONCE) {
    await Promise.all(Array.from({ length: PRESSES_AT_ONCE }, () => page.keyboard.press('Tab')))
    if ((await listUnreached(page)).length === 0) break
  }
  return listUnreached(page)
}

function listUnreached(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-unreached]')].map((each) => each.outerHTML.slice(0, 120))`,
  )
}

/** Counts the clicks of a person on a page from now on, also after a move to another page of the console. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    "window.clicks = 0; addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.clicks += 1 }, true)",
  )
  return () => page.evaluate<number>('window.clicks')
}
