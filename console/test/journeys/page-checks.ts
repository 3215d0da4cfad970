// Checks that every page of the console must pass: accessibility rules, and reach by keyboard alone.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
  }[]
}

/** Rules of axe whose result depends on the colors. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'] as const

/**
 * Runs axe, all rules or only the given ones, and returns its serious and critical findings, each with the first element
 * that it concerns.
 */
export async function findAccessibilityProblems(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  const result = await page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify(options)})`)
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes: [first] }) => `${impact} ${id}: ${first?.target.join(' ')} ${first?.failureSummary}`)
}

/** Returns whether the page is wider than the window, so that it scrolls sideways. */
export function isWiderThanWindow(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
}

/** Selects the controls that Tab must reach. Tab reaches one radio button of a group, so radio buttons are left out. */
const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled, [type=radio]), select, textarea, summary, [tabindex="0"]'

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
  for (let press = 0; press < 3 * count; press += 1) {
    await page.keyboard.press('Tab')
    if (press % count === 0 && (await listUnreached(page)).length === 0) break
  }
  return listUnreached(page)
}

function listUnreached(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-unreached]')].map((each) => each.outerHTML.slice(0, 120))`,
  )
}
