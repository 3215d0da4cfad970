// The navigation on narrow screens: a button in the header that opens a dialog.
import { Menu as MenuIcon } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../kit/controls/dialog.tsx'
import { Navigation } from './navigation.tsx'

export function PhoneMenu() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="lg:hidden">
      <Dialog
        title="Vulnerability Intelligence"
        side="left"
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        trigger={
          <button
            type="button"
            aria-label="Open the menu"
            className="grid size-9 place-items-center rounded-md border border-line text-ink-2"
          >
            <MenuIcon aria-hidden size={18} />
          </button>
        }
      >
        <Navigation onNavigate={() => setIsOpen(false)} />
      </Dialog>
    </div>
  )
}
