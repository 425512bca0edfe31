/**
 * An entry for one action on many files: a sentence that expands to the list of files. Some actions can be
 * undone there.
 */
import { Button, Group, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp, IconChevronRight } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { folderOfRetention, keptFileOf } from '../../../../src/contract/values/limits.ts'
import { undoAction } from '../../api/undo.ts'
import { useGet } from '../../api/use-get.ts'
import { FILE_QUERIES, useRefresh } from '../../api/use-refresh.ts'
import { useTexts, useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useHistoryNote } from '../../ui/history-note.ts'
import { Pagination } from '../../ui/lists/pages.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { useNotify } from '../../ui/notify.tsx'
import { RowsSkeleton } from '../../ui/skeletons.tsx'
import { Time } from '../../ui/time.tsx'
import { words as sharedWords } from '../../ui/words.ts'
import { ENTRY_ICONS, type Entry, EntryLine } from './entry-line.tsx'
import classes from './history.module.css'
import { Actor, SentenceLine } from './sentence-line.tsx'
import { groupSentences, words } from './words.ts'

/**
 * Whether the action can be undone here: renaming, moving, and removals by a retention rule or as duplicates.
 * Other deleted files can be restored on the page of the trash.
 */
const isUndoable = ({ was, einzelheiten }: Entry) =>
  was === 'umbenannt' || was === 'verschoben' || isUndoableRemoval({ was, einzelheiten })

/** Whether the files were moved to the trash by a retention rule or as duplicates of another file. */
export const isUndoableRemoval = ({ was, einzelheiten }: Pick<Entry, 'was' | 'einzelheiten'>) =>
  was === 'geloescht' && (folderOfRetention(einzelheiten) ?? keptFileOf(einzelheiten)) !== null

export function GroupLine({ entry }: { entry: Entry }) {
  const { w, format } = useTexts(words)
  const template = useWords(groupSentences)[entry.was]
  const translateDetails = useHistoryNote()
  const [opened, setOpened] = useState(false)
  const listId = useId()
  const EntryIcon = ENTRY_ICONS[entry.was]
  return (
    <>
      <EntryIcon size={18} stroke={1.6} className={classes.sign} aria-hidden />
      <UnstyledButton
        className={classes.group}
        aria-expanded={opened}
        aria-controls={listId}
        onClick={() => setOpened(!opened)}
      >
        <SentenceLine
          template={template}
          values={{ wer: <Actor wer={entry.wer} />, anzahl: format.number(entry.dateien ?? 1) }}
          note={folderOfRetention(entry.einzelheiten) === null ? null : translateDetails(entry.einzelheiten)}
        />
        <IconChevronRight
          size={16}
          className={classes.chevron}
          aria-label={opened ? w.closeGroup : w.openGroup}
        />
      </UnstyledButton>
      <span className={classes.when}>
        <Time at={entry.zeit} />
      </span>
      <div id={listId} className={classes.members} hidden={!opened}>
        {opened && <GroupEntries entry={entry} />}
      </div>
    </>
  )
}

function GroupEntries({ entry }: { entry: Entry }) {
  const { aktion, was, dateien } = entry
  const w = useWords(words)
  const [seite, setSeite] = useState(1)
  const answer = useGet('verlauf', { query: { aktion: aktion ?? '', was, seite }, keepPrevious: true })
  return (
    <>
      {isUndoable(entry) && <UndoButton action={aktion ?? null} files={dateien ?? 1} />}
      <Loaded query={answer} waiting={<RowsSkeleton rows={3} height={40} />}>
        {data => (
          <>
            <ol aria-label={w.groupFiles}>
              {data.eintraege.map(each => (
                <li key={each.pfad} className={classes.entry}>
                  <EntryLine entry={each} />
                </li>
              ))}
            </ol>
            {data.gesamt > data.anzahl && <Pagination {...data} onPage={setSeite} />}
          </>
        )}
      </Loaded>
    </>
  )
}

export function UndoButton({ action, files }: { action: string | null; files: number }) {
  const w = useWords(sharedWords)
  const notify = useNotify()
  const refresh = useRefresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => notify.runUndo(report => undoAction(action, report), files),
    onSuccess: () => notify.done(w.undone),
    // The lists are refetched after a refusal too: some files may have been moved back.
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
