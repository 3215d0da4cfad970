// Every page of the console on a desktop, a tablet and a phone. Loading a page takes longer than most checks, so a page is
// loaded once for a desktop and a tablet and once for a phone, and all checks of the page share these two.
import { describe, expect, it } from 'vitest'
import { checkAccessibility } from './accessibility.ts'
import type { ConsoleSetup } from './journey-setup.ts'
import { findLayoutProblems, readLayoutShift } from './layout-checks.ts'
import { findRoutesWithoutExample, MORE_PAGES, openExample, PAGES, type PageSpec } from './page-list.ts'

const DESKTOP = 1440
const TABLET = 1024
const PHONE = 390
const MAX_LAYOUT_SHIFT = 0.05

export function describeExamples(setup: ConsoleSetup): void {
  describe('Console: examples of every page', () => {
    it('exist for every route', () => {
      expect(findRoutesWithoutExample()).toEqual([])
    })

    it.each(PAGES)(
      'can be read, have no serious axe findings, and comply with their policy, on a desktop and a phone: $path',
      async (spec) => {
        const desktop = await openAndRead(setup, spec, DESKTOP)
        await checkAccessibility(desktop.page, spec.overlays?.[DESKTOP] ?? [])
        // The tablet comes last: its layout is that of a narrow window, and the checks before belong to the wide one.
        expect(await findLayoutProblems(desktop.page, TABLET)).toEqual([])
        expect(desktop.problems).toEqual([])

        const phone = await openAndRead(setup, spec, PHONE)
        await checkAccessibility(phone.page, spec.overlays?.[PHONE])
        expect(phone.problems).toEqual([])
      },
    )

    it.each(MORE_PAGES)('can be read on a desktop, a tablet and a phone: $path', async (spec) => {
      const { page } = await openAndRead(setup, spec, DESKTOP)
      expect(await findLayoutProblems(page, TABLET)).toEqual([])
      await openAndRead(setup, spec, PHONE)
    })
  })
}

/** Opens a page and checks that its text can be read, and that nothing has moved while it was loading. */
async function openAndRead(setup: ConsoleSetup, spec: PageSpec, width: number) {
  const opened = await openExample(setup, spec, width)
  const shift = await readLayoutShift(opened.page)
  expect(shift, `${width} px: the page moves while it loads`).toBeLessThanOrEqual(MAX_LAYOUT_SHIFT)
  expect(await findLayoutProblems(opened.page, width)).toEqual([])
  return opened
}
