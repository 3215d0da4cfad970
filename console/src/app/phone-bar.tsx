// The navigation on narrow screens: a bar at the bottom with the pages for every day, and a menu with all of them.
import { Link } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../kit/controls/dialog.tsx'
import { AccountFoot } from './account-foot.tsx'
import { WORK } from './destinations.ts'
import { InboxCount } from './inbox-count.tsx'
import { Navigation } from './navigation.tsx'

const ITEM =
  'grid min-w-0 place-content-center place-items-center gap-0.5 text-xs leading-4 text-ink-2 -outline-offset-2 aria-[current=page]:font-semibold aria-[current=page]:text-accent'

export function PhoneBar() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <nav
      aria-label="Main, small screen"
      className="fixed inset-x-0 bottom-0 z-20 grid h-14 grid-cols-5 border-t border-line bg-panel lg:hidden print:hidden"
    >
      {WORK.filter(({ isInPhoneBar }) => isInPhoneBar).map(
        ({ to, label, shortLabel = label, icon: Icon, isExact = false }) => (
          <Link
            key={to}
            to={to}
            className={ITEM}
            activeOptions={{ exact: isExact, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <span className="relative">
              <Icon aria-hidden size={20} />
              {to === '/inbox' && (
                <span className="absolute -top-1.5 left-3">
                  <InboxCount />
                </span>
              )}
            </span>{' '}
            {shortLabel}
          </Link>
        ),
      )}
      <Dialog
        title="Vulnerability Intelligence"
        side="right"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        trigger={
          <button type="button" className={ITEM}>
            <MenuIcon aria-hidden size={20} />
            <span>
              More<span className="sr-only"> pages</span>
            </span>
          </button>
        }
      >
        <Navigation onNavigate={() => setIsOpen(false)} />
        <div className="mt-3 border-t border-line pt-2">
          <AccountFoot />
        </div>
      </Dialog>
    </nav>
  )
}
