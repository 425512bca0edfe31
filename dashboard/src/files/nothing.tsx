/** Shown in place of an empty list: why there is nothing to show, and the next step. */
import { Button, Group } from '@mantine/core'
import {
  type Icon,
  IconFilterOff,
  IconFolderOpen,
  IconKey,
  IconPhotoPlus,
  IconSearchOff,
  IconUpload,
} from '@tabler/icons-react'
import { Children, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useWords } from '../language/language.tsx'
import { type FilesSearch, PAGES, type SetFilesSearch } from '../state/addresses.ts'
import { isFiltered, NO_FILTERS } from '../state/filter-search.ts'
import { folderOf } from '../state/paths.ts'
import { may, mayPutInto, maySee } from '../state/rights.ts'
import { LinkButton, SignButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { chooseFiles } from '../uploads/uploads.ts'
import { useFilesAddress } from './listing/search.ts'
import { actionWords, emptyWords } from './words.ts'

type Reason = 'first' | 'empty' | 'noResult' | 'filtered' | 'tooFar'

function reasonFor(search: FilesSearch, total: number): Reason {
  if (total > 0) return 'tooFar'
  if (search.suche !== '') return 'noResult'
  if (isFiltered(search)) return 'filtered'
  return search.ordner === '' ? 'first' : 'empty'
}

/** `total` is the number of files on all pages. */
export function EmptyList({ total }: { total: number }) {
  const { search, setSearch, folderHref } = useFilesAddress()
  const w = useWords(emptyWords)
  const a = useWords(actionWords)
  const upload = mayPutInto(search.ordner) && (
    <SignButton
      icon={IconUpload}
      label={a.uploadHere}
      signSize={18}
      onClick={() => void chooseFiles(search.ordner)}
    />
  )
  const button = (label: string, change: Parameters<SetFilesSearch>[0], variant?: 'default') => (
    <Button {...(variant && { variant })} onClick={() => setSearch({ ...change, seite: 1 })}>
      {label}
    </Button>
  )
  const clearFilters = button(w.clearFilters, NO_FILTERS)
  const parent = folderOf(search.ordner)
  const former = search.von || search.ordner
  const shown: Record<Reason, [Icon, title: string, hint: string | undefined, ...buttons: ReactNode[]]> = {
    first: [
      IconPhotoPlus,
      w.first,
      upload ? w.firstHint : undefined,
      upload,
      may('betreiber') && (
        <LinkButton key="tokens" icon={IconKey} label={w.firstToken} signSize={18} href={PAGES.tokens} />
      ),
    ],
    empty: [
      IconFolderOpen,
      w.empty,
      upload ? w.emptyHint : undefined,
      upload,
      <Button key="up" component={Link} href={folderHref(maySee(parent) ? parent : '')} variant="default">
        {w.up}
      </Button>,
    ],
    noResult: [
      IconSearchOff,
      w.noResult,
      w.noResultHint,
      isFiltered(search) && clearFilters,
      search.ordner !== '' && button(w.everywhere, { ordner: '', von: search.ordner }),
      button(w.clearSearch, { suche: '', ordner: former, von: '' }, 'default'),
    ],
    filtered: [IconFilterOff, w.filtered, w.filteredHint, clearFilters],
    tooFar: [IconFolderOpen, w.tooFar, undefined, button(w.toStart, {})],
  }
  const [icon, title, description, ...buttons] = shown[reasonFor(search, total)]
  return (
    <EmptyState icon={icon} title={title} description={description}>
      <Group gap="xs" justify="center">
        {Children.toArray(buttons)}
      </Group>
    </EmptyState>
  )
}
