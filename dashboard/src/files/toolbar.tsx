/** How files are shown: grid or list, order, filters, page size. */
import { NativeSelect, SegmentedControl, Switch, VisuallyHidden } from '@mantine/core'
import {
  IconFolders,
  IconLayoutGrid,
  IconList,
  IconSortAscending,
  IconSortDescending,
} from '@tabler/icons-react'
import { KINDS } from '../../../src/contract/paths/kinds.ts'
import { SORT_ORDERS, type SortOrder } from '../../../src/contract/values/limits.ts'
import { useGet } from '../api/use-get.ts'
import { useWords } from '../language/language.tsx'
import type { SetFilesSearch } from '../state/addresses.ts'
import { may } from '../state/rights.ts'
import { IconButton, SignButton } from '../ui/buttons.tsx'
import { PageSize } from '../ui/lists/page-size.tsx'
import { kindsWords } from '../ui/words.ts'
import classes from './files.module.css'
import { naturalDirection, useFilesAddress } from './listing/search.ts'
import { words } from './words.ts'

export type View = 'grid' | 'list'

/** Widths of a card, in pixels. */
const TILE = { min: 96, max: 352, step: 32 }
export const FIRST_TILE = 160

export interface ToolbarProps {
  view: View
  onView(view: View): void
  /** Minimum width of a card, in pixels. */
  tile: number
  onTile(tile: number): void
  /** Opens the tree; null if the tree is beside the files. */
  onFolders: (() => void) | null
}

/** Every change goes back to the first page. */
function useChange() {
  const { search, setSearch } = useFilesAddress()
  const change: SetFilesSearch = edit => setSearch({ ...edit, seite: 1 })
  return { search, change }
}

export function Toolbar({ view, onView, tile, onTile, onFolders }: ToolbarProps) {
  const w = useWords(words)
  const kinds = useWords(kindsWords)
  const { search, change } = useChange()
  return (
    <div className={classes.tools} role="toolbar" aria-label={w.view}>
      {onFolders && (
        <SignButton
          icon={IconFolders}
          label={w.folders}
          signSize={18}
          variant="default"
          aria-label={w.showFolders}
          onClick={onFolders}
        />
      )}
      <SegmentedControl
        aria-label={w.view}
        value={view}
        onChange={value => onView(value as View)}
        data={[
          { value: 'grid', label: <Sign icon={IconLayoutGrid} name={w.viewGrid} /> },
          { value: 'list', label: <Sign icon={IconList} name={w.viewList} /> },
        ]}
      />
      {view === 'grid' && (
        <input
          type="range"
          className={classes.tile}
          aria-label={w.tile}
          title={w.tile}
          {...TILE}
          value={tile}
          onChange={event => onTile(Number(event.currentTarget.value))}
        />
      )}
      <Order />
      <NativeSelect
        aria-label={w.kind}
        value={search.art ?? ''}
        onChange={event => change({ art: KINDS.find(kind => kind === event.currentTarget.value) })}
        data={[{ value: '', label: w.kindAll }, ...KINDS.map(kind => ({ value: kind, label: kinds[kind] }))]}
      />
      <TokenFilter token={search.token} onChange={token => change({ token })} />
      {search.suche === '' && (
        <Switch
          size="xs"
          label={w.below}
          checked={search.unterordner}
          onChange={event => change({ unterordner: event.currentTarget.checked })}
          className={classes.below}
        />
      )}
      <PageSize ml="auto" label={w.perPage} value={search.anzahl} onChange={anzahl => change({ anzahl })} />
    </div>
  )
}

function Sign({ icon: Picture, name }: { icon: typeof IconList; name: string }) {
  return (
    <span title={name} className={classes.sign}>
      <Picture size={18} aria-hidden />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  )
}

function Order() {
  const w = useWords(words)
  const { search, change } = useChange()
  const isUp = search.richtung === 'auf'
  const label = isUp ? w.ascending : w.descending
  const Direction = isUp ? IconSortAscending : IconSortDescending
  return (
    <div className={classes.order}>
      <NativeSelect
        aria-label={w.sort}
        value={search.sortierung}
        onChange={event => {
          const sortierung = event.currentTarget.value as SortOrder
          change({ sortierung, richtung: naturalDirection(sortierung) })
        }}
        data={SORT_ORDERS.map(order => ({ value: order, label: w[order] }))}
      />
      <IconButton
        icon={Direction}
        label={label}
        variant="default"
        size={36}
        onClick={() => change({ richtung: isUp ? 'ab' : 'auf' })}
      />
    </div>
  )
}

/** Hidden while there are no tokens. */
function TokenFilter({ token, onChange }: { token: string; onChange(token: string): void }) {
  const w = useWords(words)
  const { data: tokens = [] } = useGet('tokens', { enabled: may('betreiber') })
  if (tokens.length === 0 && token === '') return null
  return (
    <NativeSelect
      aria-label={w.token}
      value={token}
      onChange={event => onChange(event.currentTarget.value)}
      data={[{ value: '', label: w.tokenAll }, ...tokens.map(({ id, name }) => ({ value: id, label: name }))]}
    />
  )
}
