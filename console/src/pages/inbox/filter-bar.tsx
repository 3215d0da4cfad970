// Which events the list shows: all, unread or muted ones, of one watch, one team or some kinds.
import { Link } from '@tanstack/react-router'
import { listTeams } from '../../data/watch/use-watch-form.ts'
import { CHOICE, CHOICES } from '../../kit/controls/choices.ts'
import { FilterSelect } from '../../kit/controls/filter-select.tsx'
import { Menu, MenuCheckbox, MenuItem } from '../../kit/controls/menu.tsx'
import { KeyCaps } from '../../kit/key-caps.tsx'
import { KIND_WORDS, KINDS } from '../../text/watch/kinds.ts'
import { type Show, toSearch } from './state.ts'
import type { Inbox } from './use-inbox.ts'

const SHOWS = [
  ['all', 'All'],
  ['unread', 'Unread'],
  ['muted', 'Muted'],
] as const satisfies readonly (readonly [Show, string])[]

export function FilterBar({ inbox }: { readonly inbox: Inbox }) {
  const { state, setState, watches, mark } = inbox
  const choose = (part: Parameters<Inbox['setState']>[0]) => setState({ event: undefined, ...part })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <nav aria-label="Events" className={CHOICES}>
        {SHOWS.filter(([show]) => show !== 'unread' || mark.nr !== undefined || mark.isLoading).map(([show, words]) => (
          <Link
            key={show}
            to="/inbox"
            search={toSearch({ ...state, event: undefined, show })}
            className={CHOICE}
            activeProps={{}}
            {...(show === state.show ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
          >
            {words}
          </Link>
        ))}
      </nav>
      <FilterSelect
        label="Watch"
        all="All watches"
        value={state.watch}
        options={watches.map(({ id, name }) => [id, name])}
        unknown="A removed watch"
        onChange={(watch) => choose({ watch })}
      />
      <FilterSelect
        label="Team"
        all="All teams"
        value={state.team}
        options={listTeams(watches).map((team) => [team, team])}
        unknown={state.team ?? ''}
        onChange={(team) => choose({ team })}
      />
      <KindMenu inbox={inbox} />
      <span aria-hidden className="ml-auto flex gap-3 text-xs text-ink-3 max-xl:hidden">
        <Hint keys="j k" words="move" />
        {mark.nr !== undefined && <Hint keys="e" words="read" />}
        <Hint keys="?" words="keys" />
      </span>
    </div>
  )
}

const Hint = ({ keys, words }: { readonly keys: string; readonly words: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <KeyCaps keys={keys} /> {words}
  </span>
)

function KindMenu({ inbox: { state, setState } }: { readonly inbox: Inbox }) {
  const { on } = state
  const [first, ...others] = on
  const words =
    first === undefined ? 'All kinds' : `${KIND_WORDS[first].happened}${others.length > 0 ? ` +${others.length}` : ''}`
  return (
    <Menu label={words} trigger={words}>
      {KINDS.map((kind) => (
        <MenuCheckbox
          key={kind}
          isChecked={on.includes(kind)}
          onChange={(isOn) =>
            setState({ event: undefined, on: KINDS.filter((each) => (each === kind ? isOn : on.includes(each))) })
          }
        >
          {KIND_WORDS[kind].happened}
        </MenuCheckbox>
      ))}
      {on.length > 0 && <MenuItem onSelect={() => setState({ event: undefined, on: [] })}>All kinds</MenuItem>}
    </Menu>
  )
}
