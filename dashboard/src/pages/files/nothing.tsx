/** Nothing to show, each time for another reason and with another next step. */
import { Button, Group } from '@mantine/core'
import {
  IconFilterOff,
  IconFolderOpen,
  IconKey,
  IconPhotoPlus,
  IconSearchOff,
  IconUpload,
} from '@tabler/icons-react'
import { Link } from 'wouter'
import { useWords } from '../../language/language.tsx'
import { LinkButton, SignButton } from '../../parts/buttons.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { folderOf } from '../../parts/paths.ts'
import { type FilesSearch, isFiltered, type SetFilesSearch } from './search.ts'
import { actionWords, emptyWords } from './words.ts'

export type Reason = 'first' | 'empty' | 'noResult' | 'filtered' | 'tooFar'

export interface NothingProps {
  search: FilesSearch
  reason: Reason
  onChange: SetFilesSearch
  hrefOf(folder: string): string
  onUploadTo(folder: string): void
}

/** `total`: of all pages. */
export function reasonFor(search: FilesSearch, total: number): Reason {
  if (total > 0) return 'tooFar'
  if (search.suche !== '') return 'noResult'
  if (isFiltered(search)) return 'filtered'
  return search.ordner === '' ? 'first' : 'empty'
}

export function Nothing({ search, reason, onChange, hrefOf, onUploadTo }: NothingProps) {
  const w = useWords(emptyWords)
  const a = useWords(actionWords)
  const clearFilters = () => onChange({ art: undefined, token: '', seite: 1 })
  const upload = (
    <SignButton
      icon={IconUpload}
      label={a.uploadHere}
      signSize={18}
      onClick={() => onUploadTo(search.ordner)}
    />
  )
  switch (reason) {
    case 'first':
      return (
        <EmptyState icon={IconPhotoPlus} title={w.first} description={w.firstHint}>
          <Group gap="xs" justify="center">
            {upload}
            <LinkButton icon={IconKey} label={w.firstToken} signSize={18} href="/tokens" />
          </Group>
        </EmptyState>
      )
    case 'empty':
      return (
        <EmptyState icon={IconFolderOpen} title={w.empty} description={w.emptyHint}>
          <Group gap="xs" justify="center">
            {upload}
            <Button component={Link} href={hrefOf(folderOf(search.ordner))} variant="default">
              {w.up}
            </Button>
          </Group>
        </EmptyState>
      )
    case 'noResult':
      return (
        <EmptyState icon={IconSearchOff} title={w.noResult} description={w.noResultHint}>
          <Group gap="xs" justify="center">
            {isFiltered(search) && <Button onClick={clearFilters}>{w.clearFilters}</Button>}
            {search.ordner !== '' && (
              <Button onClick={() => onChange({ ordner: '', von: search.ordner, seite: 1 })}>
                {w.everywhere}
              </Button>
            )}
            <Button
              variant="default"
              onClick={() => onChange({ suche: '', ordner: search.von || search.ordner, von: '', seite: 1 })}
            >
              {w.clearSearch}
            </Button>
          </Group>
        </EmptyState>
      )
    case 'filtered':
      return (
        <EmptyState icon={IconFilterOff} title={w.filtered} description={w.filteredHint}>
          <Button onClick={clearFilters}>{w.clearFilters}</Button>
        </EmptyState>
      )
    case 'tooFar':
      return (
        <EmptyState icon={IconFolderOpen} title={w.tooFar}>
          <Button onClick={() => onChange({ seite: 1 })}>{w.toStart}</Button>
        </EmptyState>
      )
  }
}
