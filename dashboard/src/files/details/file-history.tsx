/** The history of one file under all its names, newest first. */
import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useHistoryNote } from '../../ui/history-note.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { Time } from '../../ui/time.tsx'
import { occurrenceWords } from '../../ui/words.ts'
import { drawerWords } from '../words.ts'
import classes from './details.module.css'

const MAX_SHOWN = 8

export function FileHistory({ path }: { path: string }) {
  const w = useWords(drawerWords)
  const note = useHistoryNote()
  const occurrences = { ...useWords(occurrenceWords), geloescht: w.geloescht }
  const [all, setAll] = useState(false)
  const { data, error, refetch } = useGet(`verlauf/datei/${path}`)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <TextSkeleton lines={2} />
  const mine = data.eintraege
  if (mine.length === 0) {
    return <Quiet>{w.historyEmpty}</Quiet>
  }
  return (
    <>
      <ol className={classes.history}>
        {mine.slice(0, all ? mine.length : MAX_SHOWN).map(({ zeit, was, wer, einzelheiten }, at) => (
          // Entries have no id; new ones are only added at the start of the list.
          <li key={`${zeit}-${at}`}>
            <span>
              {occurrences[was]} · {wer}
            </span>
            <Text size="xs" c="dimmed" component="span">
              <Time at={zeit} />
              {einzelheiten && ` · ${note(einzelheiten) ?? einzelheiten}`}
            </Text>
          </li>
        ))}
      </ol>
      {mine.length > MAX_SHOWN && !all && (
        <Anchor component="button" size="sm" onClick={() => setAll(true)}>
          {w.historyMore}
        </Anchor>
      )}
    </>
  )
}
