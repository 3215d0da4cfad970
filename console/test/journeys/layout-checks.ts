// Finds text that a person cannot read because of the layout, in the page that is open.
import type { Page } from 'playwright-core'
import { isWiderThanWindow } from './page-checks.ts'

/** Longer words, such as addresses and hashes, may break anywhere. */
const MAX_WORD_LENGTH = 24

/**
 * Functions for the scripts below. Text for screen readers only and text that is not painted are left out: both are in
 * boxes of one pixel or none.
 */
const READ_TEXT = `
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const isHiddenText = (each) => each.closest('.sr-only, [aria-hidden=true]:empty, option, noscript, script, style, title')
  const describe = (each, text) => {
    const part = each.closest('td, th, section, dialog, [role=dialog], nav, header') ?? each
    const label = part.getAttribute('aria-label') ?? part.querySelector('h1, h2, h3')?.textContent ?? ''
    return part.tagName.toLowerCase() + (label && ' "' + label.slice(0, 30) + '"') + ': ' + text.trim().replace(/\\s+/g, ' ').slice(0, 80)
  }
  const listTextNodes = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const nodes = []
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode
      if (data.trim() !== '' && !isHiddenText(parentElement) && isShown(parentElement)) nodes.push(walker.currentNode)
    }
    return nodes
  }
  const isInside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1`

/**
 * Words of table cells that are broken or that extend beyond the cell, because the column is too narrow. A word with a
 * number is an id, a version or a date, and stays whole; another word or a package URL may break after a hyphen or a slash.
 */
const FIND_BROKEN_WORDS = `(() => { ${READ_TEXT}
  const isCutInside = (each, cell) => {
    for (let at = each; at !== cell; at = at.parentElement)
      if (/hidden|clip/.test(getComputedStyle(at).overflowX)) return true
    return false
  }
  const listWords = (data) => [...data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    if (word.length > ${MAX_WORD_LENGTH}) return []
    if (/\\d/.test(word) && !word.includes('/')) return [[index, word]]
    return [...word.matchAll(/[^-/]+[-/]*/g)].map((part) => [index + part.index, part[0]])
  })
  const range = document.createRange()
  const found = []
  for (const node of listTextNodes()) {
    const cell = node.parentElement.closest('td, th')
    // The next check is for elements that cut their text.
    if (!cell || isCutInside(node.parentElement, cell)) continue
    const box = cell.getBoundingClientRect()
    for (const [start, word] of listWords(node.data)) {
      range.setStart(node, start)
      range.setEnd(node, start + word.length)
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
      const isBroken = rects.some(({ top }) => Math.abs(top - rects[0].top) > 4)
      if (isBroken || rects.some((rect) => !isInside(rect, box))) found.push('word ' + word + ' in ' + describe(cell, cell.innerText))
    }
  }
  return found
})()`

/**
 * Elements that cut their text, unless a title has all of it or a button next to them shows the rest. A text in a picture
 * is cut at the edge of the picture.
 */
const FIND_CUT_TEXT = `(() => { ${READ_TEXT}
  const toWords = (text) => text.replace(/\\s+/g, ' ').trim()
  const isReadable = (each, text) => {
    for (let at = each; at && at !== document.body; at = at.parentElement)
      if (at.title && toWords(at.title).includes(text)) return true
    return each.parentElement.querySelector(':scope > [aria-expanded]') !== null
  }
  const found = []
  for (const each of document.querySelectorAll('body *')) {
    if (each.clientWidth <= 1 || isHiddenText(each) || !isShown(each)) continue
    const { overflowX, overflowY } = getComputedStyle(each)
    const isCut =
      (/hidden|clip/.test(overflowX) && each.scrollWidth > each.clientWidth + 1) ||
      (/hidden|clip/.test(overflowY) && each.scrollHeight > each.clientHeight + 2)
    const text = isCut ? toWords(each.innerText ?? '') : ''
    if (text !== '' && !isReadable(each, text)) found.push('cut text in ' + describe(each, text))
  }
  for (const each of document.querySelectorAll('svg text')) {
    if (isShown(each) && !isInside(each.getBoundingClientRect(), each.ownerSVGElement.getBoundingClientRect()))
      found.push('cut text in ' + describe(each.ownerSVGElement, each.textContent))
  }
  return found
})()`

/** Text that extends beyond its panel, button or dialog. */
const FIND_SPILLED_TEXT = `(() => { ${READ_TEXT}
  const range = document.createRange()
  const isScrolled = (each, box) => {
    for (let at = each; at !== box.parentElement; at = at.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true
    return false
  }
  const found = []
  for (const node of listTextNodes()) {
    const box = node.parentElement.closest('section, dialog, [role=dialog], button, header, nav, li, fieldset')
    range.selectNodeContents(node)
    if (box && !isInside(range.getBoundingClientRect(), box.getBoundingClientRect()) && !isScrolled(node.parentElement, box))
      found.push('text outside of its box in ' + describe(box, node.data))
  }
  return found
})()`

/** Returns one line for each text that cannot be read at a width of the window, and for a page that scrolls sideways. */
export async function findLayoutProblems(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 900 })
  // Charts and lists follow the width of the window a moment later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const found = [...(await findUnreadableText(page))]
  if (await isWiderThanWindow(page)) found.push('the page scrolls sideways')
  return found.map((each) => `${width} px: ${each}`)
}

async function findUnreadableText(page: Page): Promise<readonly string[]> {
  const scripts = [FIND_BROKEN_WORDS, FIND_CUT_TEXT, FIND_SPILLED_TEXT]
  const found = await Promise.all(scripts.map((script) => page.evaluate<string[]>(script)))
  return [...new Set(found.flat())]
}

/** The sum of all movements that no person caused since the page was loaded, as browsers report it. */
const READ_LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 100)
})`

export function readLayoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(READ_LAYOUT_SHIFT)
}
