/** One page of the trash: its entries, their selection, and the dialog that confirms removals. */
import { Text } from '@mantine/core'
import { IconTrashX } from '@tabler/icons-react'
import { useLayoutEffect, useState } from 'react'
import type { TrashEntryOnWire } from '../../../../src/contract/files/trash.ts'
import { PAGE_SIZES } from '../../../../src/contract/values/page-sizes.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { createSelection, useSelection } from '../../state/selection.ts'
import { ButtonWithIcon } from '../../ui/buttons.tsx'
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx'
import { type DialogState, useDialog } from '../../ui/forms/dialog.tsx'
import { useShortcuts } from '../../ui/keys/use-shortcuts.ts'
import { PageSizeField, type PageSizeValue } from '../../ui/lists/page-size.tsx'
import { Pagination, type PaginationProps } from '../../ui/lists/pages.tsx'
import { Panel } from '../../ui/lists/panel.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { EntryRow } from './entry-row.tsx'
import { SelectionBar, selectedBytes, selectedEntryNumbers, type TrashSelection } from './selection-bar.tsx'
import classes from './trash.module.css'
import { type TrashActions, useTrashActions } from './use-trash-actions.ts'
import { words } from './words.ts'

type TrashPageData = Omit<GetRoutes['papierkorb']['answer'], 'anzahl'>

export interface TrashListProps extends TrashPageData {
  /** Whether a filter hides some of the entries. */
  isFiltered: boolean
  anzahl: PageSizeValue
  onPage(seite: number): void
  onPageSize(anzahl: PageSizeValue): void
}

export function TrashList(props: TrashListProps) {
  const { eintraege, gesamt, bytes, seite, anzahl, maxTage, isFiltered, onPage, onPageSize } = props
  const [selection] = useState(() => createSelection<TrashEntryOnWire>(({ nr }) => nr))
  useLayoutEffect(() => selection.show(eintraege), [selection, eintraege])
  const actions = useTrashActions({ shownEntries: eintraege, onDone: selection.clear })
  const confirmDialog = useDialog<'selected' | 'all'>()
  const pagination = { seite, anzahl, gesamt, onPage }
  useTrashShortcuts(selection, () => confirmDialog.open('selected'))
  return (
    <>
      <Panel p={0}>
        <TrashTools
          selection={selection}
          onEmpty={isFiltered ? null : () => confirmDialog.open('all')}
          paginationProps={pagination}
        />
        <Entries eintraege={eintraege} maxTage={maxTage} selection={selection} actions={actions} />
        {gesamt > PAGE_SIZES[0] && (
          <div className={classes.foot}>
            <PageSizeField value={anzahl} onChange={onPageSize} />
            <Pagination {...pagination} />
          </div>
        )}
      </Panel>
      <SelectionBar selection={selection} actions={actions} onRemove={() => confirmDialog.open('selected')} />
      <RemovalDialog
        dialog={confirmDialog}
        selection={selection}
        trashTotals={{ gesamt, bytes }}
        onRemove={actions.remove}
      />
    </>
  )
}

function useTrashShortcuts(selection: TrashSelection, onRemove: () => void): void {
  const w = useWords(words)
  const hasSelection = useSelection(selection, current => current.hasSelection())
  useShortcuts([
    { keys: 'a', label: w.selectPage, focusScope: 'frame', run: () => selection.setPageSelected(true) },
  ])
  useShortcuts(
    [
      { keys: 'Delete', label: w.remove, run: onRemove },
      { keys: 'Escape', label: w.clearSelection, focusScope: 'frame', run: selection.clear },
    ],
    hasSelection,
  )
}

interface EntriesProps extends Pick<TrashPageData, 'eintraege' | 'maxTage'> {
  selection: TrashSelection
  actions: TrashActions
}

function Entries({ eintraege, maxTage, selection, actions }: EntriesProps) {
  const w = useWords(words)
  const now = useNow()
  return (
    <ul aria-label={w.list}>
      {eintraege.map(entry => (
        <EntryRow
          key={entry.nr}
          entry={entry}
          maxDays={maxTage}
          now={now}
          selection={selection}
          refusal={actions.refusalsByNumber.get(entry.nr)}
          onRestore={actions.restore}
          onExchange={actions.exchange}
        />
      ))}
    </ul>
  )
}

interface TrashToolsProps {
  selection: TrashSelection
  /**
   * Asks whether to empty the trash; null while a filter hides entries, because emptying would remove these
   * too.
   */
  onEmpty: (() => void) | null
  paginationProps: PaginationProps
}

function TrashTools({ selection, onEmpty, paginationProps }: TrashToolsProps) {
  const w = useWords(words)
  const selectedExtent = useSelection(selection, current => current.pageExtent())
  return (
    <div className={classes.tools}>
      <label className={classes.all}>
        <input
          type="checkbox"
          className={classes.box}
          ref={checkbox => {
            if (checkbox) checkbox.indeterminate = selectedExtent === 'some'
          }}
          checked={selectedExtent === 'all'}
          onChange={() => selection.setPageSelected(selectedExtent !== 'all')}
        />
        {w.selectPage}
      </label>
      {onEmpty && (
        <ButtonWithIcon
          icon={IconTrashX}
          label={w.emptyAll}
          iconSize={18}
          variant="subtle"
          color="gray"
          px="xs"
          c="var(--fundus-bad)"
          onClick={onEmpty}
        />
      )}
      <Pagination {...paginationProps} />
    </div>
  )
}

interface RemovalDialogProps {
  dialog: DialogState<'selected' | 'all'>
  selection: TrashSelection
  trashTotals: { gesamt: number; bytes: number }
  /** Removes the entries with these numbers for good; if `numbers` is omitted, all entries. */
  onRemove(numbers?: number[]): Promise<void>
}

/** The dialog that asks before entries are removed for good. */
function RemovalDialog({ dialog, selection, trashTotals, onRemove }: RemovalDialogProps) {
  const { w, format } = useTexts(words)
  const chosenNumbers = useSelection(selection, current => current.state().selectedItems)
  const count = chosenNumbers.size
  const fileCountText = (fileCount: number) => w.filesCounted(fileCount, format.number(fileCount))
  const emptiesTrash = dialog.subject === 'all'
  return (
    <ConfirmDialog
      {...dialog}
      title={emptiesTrash ? w.emptyAllTitle : w.removeTitle(fileCountText(count))}
      confirmLabel={emptiesTrash ? w.emptyAll : w.remove}
      onConfirm={() => onRemove(emptiesTrash ? undefined : selectedEntryNumbers(selection))}
    >
      <Text>
        {emptiesTrash
          ? w.emptyAllLoss(fileCountText(trashTotals.gesamt), format.bytes(trashTotals.bytes))
          : w.removeLoss(count, format.bytes(selectedBytes(selection)))}
      </Text>
    </ConfirmDialog>
  )
}
