/** Shown in place of an empty list: the reason why it is empty, and the next step. */
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
import { hasActiveFilters, NO_FILTERS } from '../state/filter-search.ts'
import { folderOf } from '../state/paths.ts'
import { hasMinimumRole, mayAddFiles, maySeeFolder } from '../state/rights.ts'
import { ButtonWithIcon, LinkButton } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { chooseFiles } from '../uploads/uploads.ts'
import { useFilesAddress } from './listing/search.ts'
import { actionWords, emptyListWords } from './words.ts'

type EmptyReason = 'first' | 'empty' | 'noResult' | 'filtered' | 'tooFar'

function emptyReasonOf(search: FilesSearch, total: number): EmptyReason {
  if (total > 0) return 'tooFar'
  if (search.suche !== '') return 'noResult'
  if (hasActiveFilters(search)) return 'filtered'
  return search.ordner === '' ? 'first' : 'empty'
}

/**
 * `total` is the number of files on all pages. If it is not 0, the address names a page after the last one.
 */
export function EmptyList({ total }: { total: number }) {
  const { search, setSearch, folderHref } = useFilesAddress()
  const w = useWords(emptyListWords)
  const a = useWords(actionWords)
  const uploadButton = mayAddFiles(search.ordner) && (
    <ButtonWithIcon
      icon={IconUpload}
      label={a.uploadHere}
      iconSize={18}
      onClick={() => void chooseFiles(search.ordner)}
    />
  )
  const changeButton = (label: string, change: Parameters<SetFilesSearch>[0], variant?: 'default') => (
    <Button {...(variant && { variant })} onClick={() => setSearch({ ...change, seite: 1 })}>
      {label}
    </Button>
  )
  const clearFiltersButton = changeButton(w.clearFilters, NO_FILTERS)
  const parent = folderOf(search.ordner)
  const formerFolder = search.von || search.ordner
  const contentByReason: Record<
    EmptyReason,
    [Icon, title: string, hint: string | undefined, ...buttons: ReactNode[]]
  > = {
    first: [
      IconPhotoPlus,
      w.first,
      uploadButton ? w.firstHint : undefined,
      uploadButton,
      hasMinimumRole('betreiber') && (
        <LinkButton key="tokens" icon={IconKey} label={w.firstToken} iconSize={18} href={PAGES.tokens} />
      ),
    ],
    empty: [
      IconFolderOpen,
      w.empty,
      uploadButton ? w.emptyHint : undefined,
      uploadButton,
      <Button
        key="up"
        component={Link}
        href={folderHref(maySeeFolder(parent) ? parent : '')}
        variant="default"
      >
        {w.up}
      </Button>,
    ],
    noResult: [
      IconSearchOff,
      w.noResult,
      w.noResultHint,
      hasActiveFilters(search) && clearFiltersButton,
      search.ordner !== '' && changeButton(w.everywhere, { ordner: '', von: search.ordner }),
      changeButton(w.clearSearch, { suche: '', ordner: formerFolder, von: '' }, 'default'),
    ],
    filtered: [IconFilterOff, w.filtered, w.filteredHint, clearFiltersButton],
    tooFar: [IconFolderOpen, w.tooFar, undefined, changeButton(w.toStart, {})],
  }
  const [icon, title, description, ...buttons] = contentByReason[emptyReasonOf(search, total)]
  return (
    <EmptyState icon={icon} title={title} description={description}>
      <Group gap="xs" justify="center">
        {Children.toArray(buttons)}
      </Group>
    </EmptyState>
  )
}
