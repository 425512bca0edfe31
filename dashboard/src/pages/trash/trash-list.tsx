/** The entries of a page, selecting them, and the questions before something is lost. */
import { Text } from '@mantine/core'
import { IconTrashX } from '@tabler/icons-react'
import { useCallback, useRef, useState } from 'react'
import { PAGE_SIZES } from '../../../../src/contract/limits.ts'
import type { GetRoutes } from '../../api/routes.ts'
import { useLast } from '../../hooks/use-last.ts'
import { useShortcuts } from '../../hooks/use-shortcuts.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { SignButton } from '../../parts/buttons.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { PageSize, type PageSizeValue } from '../../parts/page-size.tsx'
import { Pages, type PagesProps } from '../../parts/pages.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useNow } from '../../parts/time.tsx'
import { EntryRow } from './entry-row.tsx'
import { bytesOf, changed, extentOf, type Selection, toggled } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import classes from './trash.module.css'
import { useTrashActions } from './use-trash-actions.ts'
import { words } from './words.ts'

type Listed = Omit<GetRoutes['papierkorb']['answer'], 'anzahl'>

export interface TrashListProps extends Listed {
  anzahl: PageSizeValue
  onPage(seite: number): void
  onPageSize(anzahl: PageSizeValue): void
}

export function TrashList(props: TrashListProps) {
  const { eintraege, gesamt, bytes, seite, anzahl, maxTage, onPage, onPageSize } = props
  const { selection, select, selectPage, clear } = useSelection(eintraege)
  const actions = useTrashActions({ shown: eintraege, onDone: clear })
  const [asking, setAsking] = useState<'selected' | 'all' | null>(null)
  const pages = { seite, anzahl, gesamt, onPage }
  const askSelected = () => setAsking('selected')
  useTrashKeys({ selection, selectPage, askSelected, clear })
  return (
    <>
      <Panel p={0}>
        <Tools
          extent={extentOf(selection, eintraege)}
          onSelectPage={selectPage}
          onEmpty={() => setAsking('all')}
          pages={pages}
        />
        <Entries
          eintraege={eintraege}
          maxTage={maxTage}
          selection={selection}
          actions={actions}
          onSelect={select}
        />
        {gesamt > PAGE_SIZES[0] && (
          <div className={classes.foot}>
            <PageSize value={anzahl} onChange={onPageSize} />
            <Pages {...pages} />
          </div>
        )}
      </Panel>
      <SelectionBar
        selection={selection}
        isRestoring={actions.isRestoring}
        error={actions.restoreError}
        onRestore={() => actions.restore([...selection.keys()])}
        onRemove={askSelected}
        onClear={clear}
      />
      <Questions
        asking={asking}
        selection={selection}
        all={{ gesamt, bytes }}
        onRemove={actions.remove}
        onClose={() => setAsking(null)}
      />
    </>
  )
}

interface KeysParts {
  selection: Selection
  selectPage(isIn: boolean): void
  askSelected(): void
  clear(): void
}

function useTrashKeys({ selection, selectPage, askSelected, clear }: KeysParts): void {
  const w = useWords(words)
  useShortcuts([{ keys: 'a', label: w.selectPage, reach: 'frame', run: () => selectPage(true) }])
  useShortcuts(
    [
      { keys: 'Delete', label: w.remove, run: askSelected },
      { keys: 'Escape', label: w.clearSelection, reach: 'frame', run: clear },
    ],
    selection.size > 0,
  )
}

interface EntriesProps extends Pick<Listed, 'eintraege' | 'maxTage'> {
  selection: Selection
  actions: ReturnType<typeof useTrashActions>
  onSelect(nr: number, isRange: boolean): void
}

function Entries({ eintraege, maxTage, selection, actions, onSelect }: EntriesProps) {
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
          isSelected={selection.has(entry.nr)}
          refused={actions.refused.get(entry.nr)}
          onSelect={onSelect}
          onRestore={actions.restore}
        />
      ))}
    </ul>
  )
}

interface ToolsProps {
  extent: ReturnType<typeof extentOf>
  onSelectPage(isIn: boolean): void
  onEmpty(): void
  pages: PagesProps
}

function Tools({ extent, onSelectPage, onEmpty, pages }: ToolsProps) {
  const w = useWords(words)
  return (
    <div className={classes.tools}>
      <label className={classes.all}>
        <input
          type="checkbox"
          className={classes.box}
          ref={box => {
            if (box) box.indeterminate = extent === 'some'
          }}
          checked={extent === 'all'}
          onChange={() => onSelectPage(extent !== 'all')}
        />
        {w.selectPage}
      </label>
      <SignButton
        icon={IconTrashX}
        label={w.emptyAll}
        signSize={18}
        variant="subtle"
        color="gray"
        px="xs"
        c="var(--fundus-bad)"
        onClick={onEmpty}
      />
      <Pages {...pages} />
    </div>
  )
}

interface QuestionsProps {
  asking: 'selected' | 'all' | null
  selection: Selection
  all: { gesamt: number; bytes: number }
  /** Without numbers everything is removed. */
  onRemove(numbers?: number[]): Promise<void>
  onClose(): void
}

/** Asked before entries are removed for good. */
function Questions({ asking, selection, all, onRemove, onClose }: QuestionsProps) {
  const { w, format } = useTexts(words)
  const count = selection.size
  const isAboutAll = useLast(asking) === 'all'
  return (
    <ConfirmDialog
      opened={asking !== null}
      onClose={onClose}
      title={isAboutAll ? w.emptyAllTitle : w.removeTitle(count, format.number(count))}
      confirm={isAboutAll ? w.emptyAll : w.remove}
      onConfirm={() => onRemove(isAboutAll ? undefined : [...selection.keys()])}
    >
      <Text>
        {isAboutAll
          ? w.emptyAllLoss(all.gesamt, format.number(all.gesamt), format.bytes(all.bytes))
          : w.removeLoss(count, format.bytes(bytesOf(selection)))}
      </Text>
    </ConfirmDialog>
  )
}

function useSelection(page: TrashListProps['eintraege']) {
  const [selection, setSelection] = useState<Selection>(new Map())
  const anchor = useRef<number | null>(null)
  // Rows keep their handlers, so that a click draws one row anew and not two hundred.
  const shown = useRef(page)
  shown.current = page
  const select = useCallback((nr: number, isRange: boolean) => {
    const from = isRange ? anchor.current : null
    setSelection(before => toggled(before, shown.current, nr, from))
    anchor.current = nr
  }, [])
  const clear = useCallback(() => {
    anchor.current = null
    setSelection(new Map())
  }, [])
  const selectPage = (isIn: boolean) => setSelection(before => changed(before, page, isIn))
  return { selection, select, selectPage, clear }
}
