/**
 * An entry for one action on many files: a sentence that expands to the list of files and, if the action can
 * be undone here, a button to undo it.
 */
import { Button, Group, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconChevronRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { keptPathOf, retentionFolderOf } from '../../../../src/contract/files/history-details.ts'
import { undoAction } from '../../api/undo.ts'
import { useGet } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useHistoryNote } from '../../ui/history-note.ts'
import { Pagination } from '../../ui/lists/pages.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { QueryResult } from '../../ui/query-result.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { words as sharedWords } from '../../ui/words.ts'
import { ENTRY_ICONS, EntryLine, type HistoryEntry } from './entry-line.tsx'
import classes from './history.module.css'
import { Actor, SentenceLine } from './sentence-line.tsx'
import { groupSentences, words } from './words.ts'

/**
 * Whether the history page offers to undo the action: a rename, a move, or a removal that `isUndoableRemoval`
 * accepts. Other deleted files can be restored on the trash page.
 */
const isUndoable = ({ was: entryKind, einzelheiten }: HistoryEntry) =>
  entryKind === 'umbenannt' ||
  entryKind === 'verschoben' ||
  isUndoableRemoval({ was: entryKind, einzelheiten })

/** Whether the files were moved to the trash by a retention rule or as duplicates of another file. */
export const isUndoableRemoval = ({
  was: entryKind,
  einzelheiten,
}: Pick<HistoryEntry, 'was' | 'einzelheiten'>) =>
  entryKind === 'geloescht' && (retentionFolderOf(einzelheiten) ?? keptPathOf(einzelheiten)) !== null

export function GroupLine({ entry }: { entry: HistoryEntry }) {
  const { w, format } = useTexts(words)
  const template = useWords(groupSentences)[entry.was]
  const translateDetails = useHistoryNote()
  const [isExpanded, setExpanded] = useState(false)
  const listId = useId()
  const EntryIcon = ENTRY_ICONS[entry.was]
  return (
    <>
      <EntryIcon size={18} stroke={1.6} className={classes.sign} aria-hidden />
      <UnstyledButton
        className={classes.group}
        aria-expanded={isExpanded}
        aria-controls={listId}
        onClick={() => setExpanded(!isExpanded)}
      >
        <SentenceLine
          template={template}
          values={{ wer: <Actor wer={entry.wer} />, anzahl: format.number(entry.dateien ?? 1) }}
          note={retentionFolderOf(entry.einzelheiten) === null ? null : translateDetails(entry.einzelheiten)}
        />
        <IconChevronRight
          size={16}
          className={classes.chevron}
          aria-label={isExpanded ? w.closeGroup : w.openGroup}
        />
      </UnstyledButton>
      <span className={classes.when}>
        <RelativeTime timestamp={entry.zeit} />
      </span>
      <div id={listId} className={classes.members} hidden={!isExpanded}>
        {isExpanded && <GroupEntries entry={entry} />}
      </div>
    </>
  )
}

function GroupEntries({ entry }: { entry: HistoryEntry }) {
  const { aktion, was: entryKind, dateien } = entry
  const w = useWords(words)
  const [seite, setSeite] = useState(1)
  const entriesQuery = useGet('verlauf', {
    query: { aktion: aktion ?? '', was: entryKind, seite },
    keepPrevious: true,
  })
  return (
    <>
      {isUndoable(entry) && <UndoButton actionId={aktion ?? null} fileCount={dateien ?? 1} />}
      <QueryResult query={entriesQuery} skeleton={<RowsSkeleton rows={3} height={40} />}>
        {data => (
          <>
            <ol aria-label={w.groupFiles}>
              {data.eintraege.map(groupEntry => (
                <li key={groupEntry.pfad} className={classes.entry}>
                  <EntryLine entry={groupEntry} />
                </li>
              ))}
            </ol>
            {data.gesamt > data.anzahl && <Pagination {...data} onPage={setSeite} />}
          </>
        )}
      </QueryResult>
    </>
  )
}

export function UndoButton({ actionId, fileCount }: { actionId: string | null; fileCount: number }) {
  const w = useWords(sharedWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => notify.runUndo(reportProgress => undoAction(actionId, reportProgress), fileCount),
    onSuccess: () => notify.showSuccess(w.undone),
    // The lists are refetched after an error too: the undo may have changed some files before the error.
    onSettled: () => refresh(...FILE_QUERIES),
  })
  return (
    <Group mb="xs">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {w.undo}
      </Button>
      <ErrorNotice error={error} />
    </Group>
  )
}
