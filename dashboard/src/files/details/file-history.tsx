/** The history of one file under all its names, newest first. */
import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../../api/use-get.ts'
import { useWords } from '../../language/language.tsx'
import { DimmedText } from '../../ui/dimmed-text.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useHistoryNote } from '../../ui/history-note.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TextSkeleton } from '../../ui/skeletons.tsx'
import { historyEventWords } from '../../ui/words.ts'
import { detailsWords } from '../words.ts'
import classes from './details.module.css'

/** Number of entries that are shown at first. */
const INITIAL_ENTRY_COUNT = 8

export function FileHistory({ path }: { path: string }) {
  const w = useWords(detailsWords)
  const historyNoteOf = useHistoryNote()
  const occurrenceTexts = { ...useWords(historyEventWords), geloescht: w.geloescht }
  const [showsAll, setShowsAll] = useState(false)
  const { data, error, refetch } = useGet(`verlauf/datei/${path}`)
  if (error) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <TextSkeleton lineCount={2} />
  const entries = data.eintraege
  if (entries.length === 0) {
    return <DimmedText>{w.historyEmpty}</DimmedText>
  }
  return (
    <>
      <ol className={classes.history}>
        {entries
          .slice(0, showsAll ? entries.length : INITIAL_ENTRY_COUNT)
          .map(({ zeit, was, wer, einzelheiten }, index) => (
            // Entries have no id, and several may have the same time.
            <li key={`${zeit}-${index}`}>
              <span>
                {occurrenceTexts[was]} · {wer}
              </span>
              <Text size="xs" c="dimmed" component="span">
                <RelativeTime timestamp={zeit} />
                {einzelheiten && ` · ${historyNoteOf(einzelheiten) ?? einzelheiten}`}
              </Text>
            </li>
          ))}
      </ol>
      {entries.length > INITIAL_ENTRY_COUNT && !showsAll && (
        <Anchor component="button" size="sm" onClick={() => setShowsAll(true)}>
          {w.historyMore}
        </Anchor>
      )}
    </>
  )
}
